/** A name in a header: of a plain column, a composite one, or a nested document. */
export type Name = string | {readonly [name: string]: Header | readonly [Header]};
/** The columns of a document, or of what is nested in one. */
export type Header = readonly Name[];

/** A type in a header, parallel to Name. */
export type TypeName = string | null | {readonly [name: string]: readonly TypeName[]};

declare const row: unique symbol;

/** A document of PostgreSQL's extension jsonrow. `Row` is what its rows are as objects. */
export interface Doc<Row = Record<string, unknown>> {
	cols: Header;
	types?: unknown;
	rows?: readonly (readonly unknown[] | null)[];
	vals?: readonly (readonly unknown[])[];
	/** Only for the compiler: no document has it. */
	readonly [row]?: Row;
}

/** By the name of PostgreSQL's type, what makes a value of a cell that is not null; `false`: the cell as it is. */
export interface Types {
	readonly [type: string]: ((cell: any) => unknown) | false | undefined;
}

/** What all functions take that make objects. */
export interface Options {
	/**
	 * What cells become where the document tells types, beside int8 (bigint), numeric (string), float4, float8 and oid
	 * (number), timestamptz (Date) and bytea (Uint8Array). `false`: what JSON has. Keep the object: what is compiled is
	 * kept with it.
	 */
	types?: Types | false;
	/** `false`: without code made at run time, as where a Content-Security-Policy forbids it. */
	compile?: boolean;
}

/** What `decode` takes. */
export interface DecodeOptions extends Options {
	/** Use the document's own arrays for the objects, which is faster. Afterwards it is none any more. */
	inPlace?: boolean;
}

/** Where in a document or stream something is wrong, as far as it is known */
export interface Place {
	/** What is wrong, without the place. */
	readonly reason: string;
	/** From 0. In an EndedEarlyError, the number of whole rows. */
	readonly row: number | undefined;
	/** Its name; within nested rows as in `actors[2].name`. */
	readonly column: string | undefined;
	/** In characters from the beginning of a stream. */
	readonly offset: number | undefined;
}

/** What was read is not a document of jsonrow: it is no JSON, lacks a member, or a row has not the header's width. */
export class DocumentError extends Error implements Place {
	readonly reason: string;
	readonly row: number | undefined;
	readonly column: string | undefined;
	readonly offset: number | undefined;
}

/** The stream ended before its end was read: the query failed, or the connection was lost. */
export class EndedEarlyError extends Error implements Place {
	readonly reason: string;
	readonly row: number | undefined;
	readonly column: string | undefined;
	readonly offset: number | undefined;
}

/** The rows of a parsed document as objects. What is not a document is a DocumentError, as in all functions. */
export function decode<Row = Record<string, unknown>>(doc: Doc<Row>, options?: DecodeOptions): Row[];

/** The rows of a document in JSON text, as objects: the fastest way. */
export function parse<Row = Record<string, unknown>>(text: string, options?: Options): Row[];

/** Of JSON text that is a document the rows as objects, of all other the value. */
export function parseJson(text: string, options?: Options): any;

/**
 * The rows of any driver's result, changed in place: with objects instead of documents in the columns that are named,
 * which may be text or parsed. Null stays, and so do arrays of objects, which a hook of the driver may have made. All
 * else that is not a document there is a DocumentError. The type of a row is what it is then, or has `Doc<Film>` for
 * `Film[]`.
 */
export function documents<Row extends object>(rows: Row[], ...columns: (keyof Row & string)[]): WithRows<Row>[];

/** A row of a result, with the rows of documents in place of them. */
export type WithRows<Row> = {[Column in keyof Row]: RowsOf<Row[Column]>};
type RowsOf<Cell> = Cell extends Doc<infer Row> ? Row[] : Cell;

/** Does it have the members of a document? Its rows are not looked at. */
export function isDocument(value: unknown): value is Doc;

/** Rows that are made objects when they are asked for. */
export interface LazyRows<Row> extends Iterable<Row> {
	readonly length: number;
	/** A row, counted from the end if the index is negative. */
	at(index: number): Row | undefined;
}

/** The rows of a parsed document, each made an object when it is asked for. */
export function lazy<Row = Record<string, unknown>>(doc: Doc<Row>, options?: Options): LazyRows<Row>;

/** What `columns` takes. */
export interface ColumnsOptions extends Options {
	/** Typed arrays of columns that have only numbers, or only bigints. */
	typed?: boolean;
}

/** What `typed: true` makes of numbers. */
export type TypedColumn = Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array;
/** What `columns` returns. */
export type Columns<Row> = {[Name in keyof Row]: readonly Row[Name][]};
/** What it returns with `typed: true`: a column with a null stays an array. */
export type TypedColumns<Row> = {
	[Name in keyof Row]: readonly Row[Name][] | (Extract<Row[Name], number | bigint> extends never ? never : TypedColumn);
};

/** An array of values per column, by name. */
export function columns<Row = Record<string, unknown>>(
	doc: Doc<Row>, options: ColumnsOptions & {typed: true}): TypedColumns<Row>;
export function columns<Row = Record<string, unknown>>(doc: Doc<Row>, options?: ColumnsOptions): Columns<Row>;

/** What `encode` takes. */
export interface EncodeOptions {
	/** The columns, in this order; else the keys, in that in which they first appear. */
	cols?: readonly string[];
}

/** A document of objects, for jsonrow_populate_recordset. */
export function encode<Row extends object>(rows: Iterable<Row | null>, options?: EncodeOptions): Doc<Row>;

/** Text, UTF-8, or rows of a result that have one column of text. */
export type Piece = string | Uint8Array | object;
/** What streams are read from: text, a stream of Node.js or the web, a cursor, or any iterable of pieces. */
export type Source = string | AsyncIterable<Piece> | Iterable<Piece> | {getReader(): unknown};

/** What `rows` and `batches` take. */
export interface StreamOptions extends Options {
	/** Of jsonrow_stream, _lines, _objects, _object_lines; else it is seen from the text. */
	form?: 'rows' | 'lines' | 'objects' | 'object_lines';
}

/** The rows of a stream as objects, one by one. If its end is missing, an EndedEarlyError follows the last of them. */
export function rows<Row = Record<string, unknown>>(
	source: Source, options?: StreamOptions): AsyncGenerator<Row, void>;

/** The rows of a stream as objects, in arrays of as many as came together. */
export function batches<Row = Record<string, unknown>>(
	source: Source, options?: StreamOptions): AsyncGenerator<Row[], void>;

// Only what is said to be exported is.
export {};
