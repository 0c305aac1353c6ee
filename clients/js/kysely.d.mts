import type {RawBuilder, SelectQueryBuilder, Simplify} from 'kysely';

/** A subquery as a document: what jsonArrayFrom is for json_agg. */
export function rowsFrom<O>(query: SelectQueryBuilder<any, any, O>): RawBuilder<Simplify<O>[]>;
