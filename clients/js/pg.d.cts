import type {Options} from './index.cjs';

/** The `types` of a Client or Pool of node-postgres with which documents arrive as objects. */
export function withDocuments(
	types: {getTypeParser(oid: number, format?: any): any}, options?: Options,
): {getTypeParser(oid: number, format?: any): any};
