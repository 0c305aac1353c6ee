import type {Options} from './index.cjs';

/** For the option `types` of postgres.js, with which documents arrive as objects. */
export function withDocuments(options?: Options): {
	json: {to: number; from: number[]; serialize: (value: any) => string; parse: (text: any) => any};
};
