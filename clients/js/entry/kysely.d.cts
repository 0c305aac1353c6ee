import type {KyselyPlugin, RawBuilder, SelectQueryBuilder} from 'kysely';

/** What a value is in JSON: a timestamp is a string there, and an integer of any size a number. */
export type InJson<T> = T extends Date | ArrayBufferView | ArrayBuffer ? string : T extends bigint ? number
	: T extends readonly (infer E)[] ? InJson<E>[] : T;
/** A row of which each value is what it is in JSON. */
export type RowInJson<O> = {[Name in keyof O]: InJson<O[Name]>} & {};

/** A subquery as a document: what jsonArrayFrom is for json_agg. JsonrowPlugin makes objects of it. */
export function rowsFrom<O>(query: SelectQueryBuilder<any, any, O>): RawBuilder<RowInJson<O>[]>;

/** The same, of an extension in a schema that is not in the search_path. */
export function inSchema(schema: string): {rowsFrom: typeof rowsFrom};

/**
 * Makes objects of what a statement selects by rowsFrom. `columns`: also of these columns, in all statements, such as
 * those that come out of a CTE. Before other plugins.
 */
export class JsonrowPlugin implements KyselyPlugin {
	constructor(options?: {columns?: readonly string[]});
	transformQuery: KyselyPlugin['transformQuery'];
	transformResult: KyselyPlugin['transformResult'];
}
