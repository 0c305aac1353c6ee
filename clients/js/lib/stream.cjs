'use strict';
// Streams into objects: what jsonrow_stream and its kin, or COPY with FORMAT
// jsonrow, have written, as it comes.

const {checkDocument} = require('./document.cjs');
const {DocumentError, EndedEarlyError, parseText} = require('./errors.cjs');
const {planOf} = require('./plan.cjs');

/** The rows as objects, one by one. */
async function* rows(source, options = {}) {
	for await (const batch of batches(source, options)) yield* batch;
}

/** The rows as objects, in arrays of as many as came together. */
async function* batches(source, options = {}) {
	const guess = new Guess();
	let reader = options.form === undefined ? null : readerOf(options.form, options);
	let length = 0;
	for await (let text of texts(source)) {
		length += text.length;
		if (reader === null) {
			const form = guess.read(text);
			if (form === null) continue;
			reader = readerOf(form, options);
			text = guess.text;
		}
		const batch = reader.read(text);
		if (batch.length > 0) yield batch;
	}
	if (reader === null) throw endedEarly('there is no header', 0, length);
	const batch = reader.end(length);
	if (batch.length > 0) yield batch;
	if (reader.early !== null) throw endedEarly(reader.early, reader.count, length);
}

/** `row` is the number of whole rows, `offset` that of the characters. */
const endedEarly = (why, row, offset) => new EndedEarlyError(why, {row, offset});

function readerOf(form, options) {
	switch (form) {
	case 'rows': return new DocumentReader(options);
	case 'objects': return new ArrayReader();
	case 'lines': return new LinesReader(options);
	case 'object_lines': return new ObjectLinesReader();
	default: throw new TypeError(`there is no form "${form}"`);
	}
}

/** Finds brackets, but none in strings, in text that grows. */
class Scanner {
	at = 0;
	depth = 0;
	inString = false;

	/** Goes behind the next bracket. False if there is none as yet. */
	next(text) {
		while (this.at < text.length) {
			if (this.inString) {
				if (!this.#leaveString(text)) return false;
				continue;
			}
			switch (text.charCodeAt(this.at++)) {
			case 0x22: this.inString = true; break;
			case 0x5b: case 0x7b: this.depth++; return true;
			case 0x5d: case 0x7d: this.depth--; return true;
			}
		}
		return false;
	}

	#leaveString(text) {
		const quote = text.indexOf('"', this.at);
		if (quote < 0) return false;
		let before = quote;
		while (text[before - 1] === '\\') before--;
		this.inString = (quote - before) % 2 === 1;
		this.at = quote + 1;
		return true;
	}

	/** Was the bracket that of a document's rows? */
	opensRows(text) {
		return this.depth === 2 && /"rows"\s*:\s*\[$/.test(text.slice(Math.max(0, this.at - 100), this.at));
	}
}

/** Sees from the first text which of the four forms it is. */
class Guess {
	text = '';
	scanner = new Scanner();

	/** The form, or null if it takes more text to tell. */
	read(text) {
		this.text = this.text === '' ? text.trimStart() : this.text + text;
		if (this.text[0] === '[') return 'objects';
		if (this.scanner.depth === 0 && !/^\{\s*("([^"\\]|\\[^])*"\s*:\s*\S|\})/.test(this.text)) return null;
		if (this.scanner.depth === 0 && !/^\{\s*"cols"\s*:\s*\[/.test(this.text)) return 'object_lines';
		while (this.scanner.next(this.text)) {
			if (this.scanner.opensRows(this.text)) return 'rows';
			if (this.scanner.depth === 0) return 'lines';
		}
		return null;
	}
}

/** An array's elements, in whatever pieces the text comes. */
class ArrayReader {
	scanner = new Scanner();
	text = '';
	inside = false;
	depth = 1;	// within the array
	ended = false;
	count = 0;	// of rows
	early = null;	// at the end: why there must have been more

	read(text) {
		this.text += text;
		if (!this.inside && !this.#enter()) return [];
		let complete = 0;
		while (!this.ended && this.scanner.next(this.text)) {
			if (this.scanner.depth === this.depth) complete = this.scanner.at;
			else if (this.scanner.depth < this.depth) {
				complete = this.scanner.at - 1;
				this.ended = true;
			}
		}
		if (complete === 0) return [];
		const rows = this.take(this.#cut(complete));
		this.count += rows.length;
		return rows;
	}

	#enter() {
		while (!this.inside && this.scanner.next(this.text)) this.inside = this.opens();
		if (this.inside) {
			this.enter(this.text.slice(0, this.scanner.at));
			this.#cut(this.scanner.at);
		}
		return this.inside;
	}

	/** Takes this much off the text. */
	#cut(end) {
		const text = this.text.slice(0, end);
		this.text = this.text.slice(end);
		this.scanner.at -= end;
		return text;
	}

	opens() { return this.scanner.depth === 1; }
	enter() {}

	/** The elements in text that may begin with a comma */
	take(text) {
		return parseText(`[${text.replace(/^\s*,/, '')}]`, {row: this.count});
	}

	end() {
		if (this.ended) parseText(`[${this.text}`, {row: this.count});	// nothing else may follow
		else this.early = 'its last row is missing';
		return [];
	}
}

/** The rows of a document, of which the header comes first. */
class DocumentReader extends ArrayReader {
	depth = 2;

	constructor(options) {
		super();
		this.options = options;
	}

	opens() { return this.scanner.opensRows(this.text); }

	enter(head) {
		const doc = parseText(`${head}]}`);
		checkDocument(doc);
		this.plan = planOf(doc, this.options);
	}

	take(text) { return this.plan.rows(super.take(text), false, this.count); }

	end() {
		const whole = this.ended && (this.scanner.next(this.text) || this.scanner.depth === 0);
		if (whole) parseText(`{"rows":[${this.text}`, {row: this.count});
		else this.early = this.ended ? 'its last bracket is missing' : 'its last row is missing';
		return [];
	}
}

/** An object on each line, and nothing else: whether it is all, only the source's error tells. */
class ObjectLinesReader {
	text = '';
	count = 0;
	early = null;

	read(text) {
		const end = text.lastIndexOf('\n');
		if (end < 0) {
			this.text += text;
			return [];
		}
		const lines = this.text + text.slice(0, end);
		this.text = text.slice(end + 1);
		return this.take(valuesOf(lines, this.firstRow()));
	}

	/** A last line that is no JSON was not sent as a whole. */
	end() {
		let values = [];
		try {
			values = valuesOf(this.text, this.firstRow());
		} catch {
			this.early = 'its last line is not whole';
		}
		return this.take(values);
	}

	/** The number of the next line's row */
	firstRow() { return this.count; }

	take(values) {
		this.count += values.length;
		return values;
	}
}

/** One call of JSON.parse for many lines is faster than many, and gives the same if no line is broken. */
function valuesOf(text, first) {
	const lines = text.split('\n').filter(line => line.trim() !== '');
	let values;
	try {
		values = JSON.parse(`[${lines.join(',')}]`);
	} catch { /* the line at fault is found below */ }
	return values?.length === lines.length ? values :
		lines.map((line, i) => parseText(line, {row: first + i < 0 ? undefined : first + i}));
}

/** A header, a row on each line, and the number of them. */
class LinesReader extends ObjectLinesReader {
	plan = null;
	total = null;

	constructor(options) {
		super();
		this.options = options;
	}

	firstRow() { return this.plan === null ? -1 : this.count; }

	take(values) {
		const list = [];
		for (const value of values) {
			const row = this.count + list.length;
			if (this.total !== null) throw new DocumentError('lines follow the last one', {row});
			if (Array.isArray(value) && this.plan !== null) list.push(value);
			else if (this.plan === null) this.#takeHeader(value);
			else if (typeof value?.rows === 'number') this.total = value.rows;
			else throw new DocumentError('a line is neither a row nor the last', {row});
		}
		const rows = list.length > 0 ? this.plan.rows(list, false, this.count) : list;
		this.count += list.length;
		return rows;
	}

	#takeHeader(value) {
		if (Array.isArray(value) || typeof value?.rows === 'number') {
			throw new DocumentError('its first line is no header');
		}
		const doc = value?.rows === undefined ? {...value, rows: []} : value;
		checkDocument(doc);
		this.plan = planOf(doc, this.options);
	}

	end() {
		const last = super.end();
		if (this.early === null && this.total === null) this.early = 'its last line is missing';
		else if (this.early === null && this.total !== this.count) this.early = `it had ${this.total} rows`;
		return last;
	}
}

/** The text of the source: of strings, of bytes, or of rows of a result that have one column of them. */
async function* texts(source) {
	const decoder = new TextDecoder('utf-8', {fatal: true});
	for await (const chunk of iterable(source)) yield textOf(chunk, decoder);
	yield decoded(decoder);
}

function decoded(decoder, ...bytes) {
	try {
		return decoder.decode(...bytes);
	} catch (cause) {
		throw new DocumentError('the bytes are not UTF-8', {}, {cause});
	}
}

function textOf(chunk, decoder) {
	if (typeof chunk === 'string') return chunk;
	if (chunk instanceof Uint8Array) return decoded(decoder, chunk, {stream: true});
	if (Array.isArray(chunk)) return chunk.map(row => textOf(row, decoder)).join('');
	const cells = Object.values(chunk ?? {});
	if (cells.length === 1 && typeof cells[0] === 'string') return cells[0];
	throw new TypeError('a piece of a jsonrow stream must be a string, bytes, or a row of one column of text');
}

function iterable(source) {
	if (typeof source === 'string') return [source];
	if (source?.[Symbol.asyncIterator] || source?.[Symbol.iterator]) return source;
	if (typeof source?.getReader === 'function') return readWebStream(source);
	throw new TypeError('a jsonrow stream must be iterable, or a ReadableStream');
}

/** For browsers whose ReadableStream is not iterable */
async function* readWebStream(stream) {
	const reader = stream.getReader();
	try {
		for (;;) {
			const {done, value} = await reader.read();
			if (done) return;
			yield value;
		}
	} finally {
		await reader.cancel();
	}
}

module.exports = {rows, batches};
