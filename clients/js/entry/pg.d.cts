import type {Options} from './index.cjs';

/** What `withDocuments` takes. */
export interface HookOptions extends Options {
	/** Objects of whatever has the form of a document, and other JSON as it is; else, all JSON has to be documents. */
	any?: boolean;
}

/**
 * The `types` of a query of node-postgres of which each json or jsonb value is a document: objects arrive. With the
 * option `any`, also for a Client or Pool.
 */
export function withDocuments(
	types: {getTypeParser(oid: number, format?: any): any}, options?: HookOptions,
): {getTypeParser(oid: number, format?: any): any};
