import type {SQL, SQLWrapper} from 'drizzle-orm';

/** A subquery as a document, of which drizzle's result has the objects: a field of a select. */
export function rowsFrom<Row>(
	query: SQLWrapper & {_: {readonly result: Row[]; readonly selectedFields: Record<string, any>}},
): SQL<Row[]>;

/** The same, of an extension in a schema that is not in the search_path. */
export function inSchema(schema: string): {rowsFrom: typeof rowsFrom};
