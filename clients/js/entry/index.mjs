// One implementation for both module systems, so that they share what is compiled.
import jsonrow from './index.cjs';

export const {decode, parse, parseJson, isDocument, lazy, columns, documents, encode, rows, batches,
	DocumentError, EndedEarlyError} = jsonrow;
