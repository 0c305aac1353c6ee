// node decode.mjs HOW FILE TIMES [CHECK]: JSON text in bytes made into values, so many times; prints the median of the milliseconds.
// CHECK is a file of the objects that must come out.  $EXPAND is the decoder of doc/format.md, $CLIENT where the package jsonrow is.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [how, file, times, check] = process.argv.slice(2), bytes = readFileSync(file), taken = [];
const { lazy, parse } = how.startsWith('client') ? createRequire(`${process.env.CLIENT}/package.json`)('jsonrow') : {};
const expand = how === 'expand' && new Function(`${process.env.EXPAND}; return expand`)();
const make = {
  parse: text => JSON.parse(text),
  expand: text => expand(JSON.parse(text)),
  client: text => parse(text),
  'client, lazily': text => { for (const row of lazy(JSON.parse(text))) row; },
}[how];

if (check) assert.deepEqual(JSON.parse(JSON.stringify(make(bytes.toString()))), JSON.parse(readFileSync(check)));
for (let i = 0; i < Number(times); i++) {
  const started = process.hrtime.bigint();
  make(bytes.toString());
  taken.push(Number(process.hrtime.bigint() - started) / 1e6);
}
console.log(taken.sort((a, b) => a - b)[taken.length >> 1]);
