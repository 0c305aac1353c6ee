import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import test from 'node:test';
import * as modules from 'jsonrow';

const require = createRequire(import.meta.url);

test('both module systems have the same functions', () => {
	const common = require('jsonrow');
	assert.deepEqual(Object.keys(common).sort(), Object.keys(modules).sort());
	for (const [name, value] of Object.entries(common)) assert.equal(modules[name], value);
	for (const name of ['pg', 'postgres']) assert.equal(typeof require(`jsonrow/${name}`).withDocuments, 'function');
});

test('installed as README says, it stays a package, and no link, when others are installed', () => {
	const [, command] = /^npm install (".*")$/m.exec(readFileSync('README.md', 'utf8'));
	const dir = mkdtempSync(join(tmpdir(), 'jsonrow-install-'));
	const env = {...process.env, npm_config_offline: 'true', npm_config_audit: 'false',
		npm_config_cache: `${dir}/cache`};
	const npm = line => execFileSync('sh', ['-c', line], {cwd: dir, env});
	try {
		writeFileSync(`${dir}/package.json`, '{"private": true}');
		npm(`npm install ${command.replace('/path/to/checkout/clients/js', resolve('node_modules/jsonrow'))}`);
		npm('npm install');
		assert.ok(!lstatSync(`${dir}/node_modules/jsonrow`).isSymbolicLink());
		assert.equal(npm(`node -p "typeof require('jsonrow').parse"`).toString(), 'function\n');
	} finally {
		rmSync(dir, {recursive: true});
	}
});

test('each entry has code and types for both module systems', async () => {
	const {exports, typesVersions} = require('jsonrow/package.json');
	const entries = Object.entries(exports).filter(([, entry]) => typeof entry === 'object');
	assert.equal(entries.length, 5);
	for (const [name, entry] of entries) {
		const values = Object.values(entry).flatMap(Object.values);
		assert.equal(new Set(values).size, 4);
		for (const file of values) assert.ok(existsSync(`node_modules/jsonrow/${file}`), file);
		const [common, module] = [require(`jsonrow${name.slice(1)}`), await import(`jsonrow${name.slice(1)}`)];
		assert.deepEqual(Object.keys(module).sort(), Object.keys(common).sort());
		// For --moduleResolution node10, which does not know exports
		if (name !== '.') assert.deepEqual(typesVersions['*'][name.slice(2)], [entry.require.types]);
	}
});

test('the package has what a user needs, and nothing else', () => {
	const files = readdirSync('node_modules/jsonrow');
	assert.deepEqual(files.sort(), ['LICENSE', 'README.md', 'entry', 'lib', 'package.json']);
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
