import type {HookOptions} from './pg.cjs';

/**
 * For the option `types` of a client of postgres.js of which each json or jsonb value is a document: objects arrive.
 * With the option `any`: of what has the form of a document objects, of other JSON its value.
 */
export function withDocuments(options?: HookOptions): {
	json: {to: number; from: number[]; serialize: (value: any) => string; parse: (text: any) => any};
};
