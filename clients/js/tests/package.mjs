import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import test from 'node:test';
import * as modules from 'jsonrow';

const require = createRequire(import.meta.url);

test('both module systems have the same functions', () => {
	const common = require('jsonrow');
	assert.deepEqual(Object.keys(common).sort(), Object.keys(modules).sort());
	for (const [name, value] of Object.entries(common)) assert.equal(modules[name], value);
	for (const name of ['pg', 'postgres']) assert.equal(typeof require(`jsonrow/${name}`).withDocuments, 'function');
});

test('the package has what a user needs, and nothing else', () => {
	const files = readdirSync('node_modules/jsonrow');
	const wanted = ['LICENSE', 'README.md', 'package.json', 'index.cjs', 'index.mjs', 'index.d.cts', 'index.d.mts',
		'lib'];
	for (const file of wanted) assert.ok(files.includes(file), file);
	for (const file of ['tests', 'test', 'bench.mjs', 'node_modules']) assert.ok(!files.includes(file), file);
});

test('bench.mjs gives ratios', () => {
	const dir = mkdtempSync('bench-');
	try {
		writeFileSync(`${dir}/objects.json`, '[{"a":1},{"a":2}]');
		writeFileSync(`${dir}/doc.json`, '{"cols":["a"],"rows":[[1],[2]]}');
		writeFileSync(`${dir}/bench.mjs`, "import '../bench.mjs';");
		const small = `small=${dir}/objects.json,${dir}/doc.json`;
		const printed = execFileSync(process.execPath, ['bench.mjs', '--rounds', '1', small]);
		const {ratio} = JSON.parse(printed).results.small;
		assert.equal(ratio['JSON.parse of objects'], 1);
		assert.ok(ratio.parse > 0);
	} finally {
		rmSync(dir, {recursive: true});
	}
});
