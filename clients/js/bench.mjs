#!/usr/bin/env node
// Times decoding into objects against JSON.parse of the same rows as objects.
//
//   node bench.mjs [--rounds 5] NAME=OBJECTS.json,DOCUMENT.json ...
//
// OBJECTS is what json_agg gives, DOCUMENT what jsonrow_agg_json or
// jsoncol_agg_json gives for the same rows.  Without names, rows of its own: flat
// ones, 16,000 of six columns, and three levels.  Prints JSON: for each name the
// CPU time of each way in milliseconds, garbage collection included, and its ratio
// to JSON.parse of the objects.  Each way is timed in processes of its own, in turn:
// V8 learns from what a program does, and one way would be optimized for another.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual, parseArgs} from 'node:util';
import {decode, lazy, parse} from 'jsonrow';

const BASE = 'JSON.parse of objects';
const waysOf = (objects, document) => ({
	[BASE]: () => JSON.parse(objects),
	'JSON.parse of the document': () => JSON.parse(document),
	'parse': () => parse(document),
	'JSON.parse, decode': () => decode(JSON.parse(document)),
	'JSON.parse, decode without eval': () => decode(JSON.parse(document), {compile: false}),
	'JSON.parse, lazy, all rows': () => { for (const row of lazy(JSON.parse(document))) row; },
	'JSON.parse, lazy, ten rows': () => {
		const rows = lazy(JSON.parse(document));
		for (let i = 0; i < 10; i++) rows.at(i);
	},
});

/** In this process: the median CPU time of 15 times as many runs as take 20 ms */
function time(run) {
	for (let i = 0; i < 20; i++) run();
	const count = Math.max(1, Math.round(20 / (cpu(run, 5) / 5)));
	return median(Array.from({length: 15}, () => cpu(run, count) / count));
}

function cpu(run, count) {
	const before = process.cpuUsage();
	for (let i = 0; i < count; i++) run();
	const {user, system} = process.cpuUsage(before);
	return (user + system) / 1000;
}

const median = list => list.sort((a, b) => a - b)[list.length >> 1];

/** The same in another process */
function timeApart(way, texts) {
	const child = [...process.execArgv, fileURLToPath(import.meta.url), '--way', way];
	return Number(execFileSync(process.execPath, child, {input: JSON.stringify(texts), maxBuffer: 1e9}));
}

function measure(objects, document, rounds) {
	if (!isDeepStrictEqual(parse(document), JSON.parse(objects))) throw new Error('the files differ in their rows');
	const times = Object.fromEntries(Object.keys(waysOf()).map(way => [way, []]));
	for (let i = 0; i < rounds; i++) {
		for (const way in times) times[way].push(timeApart(way, [objects, document]));
	}
	const ms = Object.fromEntries(Object.entries(times).map(([way, list]) => [way, median(list)]));
	const ratio = Object.fromEntries(Object.entries(ms).map(([way, value]) => [way, value / ms[BASE]]));
	return {bytes: {objects: objects.length, document: document.length}, ms, ratio};
}

/** Texts as PostgreSQL makes them: json_agg puts each object on a line. */
function ownRows() {
	const list = (n, make) => Array.from({length: n}, (_, i) => make(i));
	const payments = list(16000, i => ({payment_id: i + 1, customer_id: i * 7919 % 599, staff_id: i % 2 + 1,
		rental_id: i * 31 % 16049, amount: i % 10 + 0.99, payment_date: new Date(16e11 + i * 433337).toISOString()}));
	const films = list(1000, f => ({film_id: f, title: `Film number ${f}`, year: 1950 + f % 75,
		rating: (f % 40 + 60) / 10,
		actors: list(3 + f % 8, a => ({first_name: `First${(f + a) % 50}`, last_name: `Last${f * 7 + a * 13}`,
			awards: list((f + a) % 5, w => ({year: 1990 + w * 3, prize: `Prize ${w}`}))})),
		categories: list(1 + f % 3, c => ({name: `Category ${(f + c * 5) % 20}`}))}));
	const objectsText = rows => `[${rows.map(row => JSON.stringify(row)).join(', \n ')}]`;
	const cells = object => Object.values(object).map(value => Array.isArray(value) ? value.map(cells) : value);
	const text = (cols, rows) => JSON.stringify({cols, rows: rows.map(cells)});
	const byColumn = rows => JSON.stringify({cols: Object.keys(rows[0]),
		vals: Object.keys(rows[0]).map(name => rows.map(row => row[name]))});
	return {
		flat: [objectsText(payments), text(Object.keys(payments[0]), payments)],
		'flat, by column': [objectsText(payments), byColumn(payments)],
		'three levels': [objectsText(films), text(['film_id', 'title', 'year', 'rating',
			{actors: [['first_name', 'last_name', {awards: [['year', 'prize']]}]]}, {categories: [['name']]}], films)],
	};
}

const {values, positionals} = parseArgs({allowPositionals: true,
	options: {rounds: {type: 'string', default: '5'}, way: {type: 'string'}}});
if (values.way !== undefined) {
	console.log(time(waysOf(...JSON.parse(readFileSync(0, 'utf8')))[values.way]));
} else {
	const given = positionals.map(argument => {
		const [name, files] = argument.split('=');
		return [name, files.split(',').map(file => readFileSync(file, 'utf8'))];
	});
	const results = {};
	for (const [name, texts] of given.length > 0 ? given : Object.entries(ownRows())) {
		results[name] = measure(...texts, Number(values.rounds));
	}
	console.log(JSON.stringify({node: process.version, results}, null, 2));
}
