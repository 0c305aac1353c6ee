"""Films with actors and categories, three levels, as tools ask for them today.

Through JDBC (JMH, Jackson) and through Node's pg (JSON.parse).
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from charts import bars
from measure import psql
from workloads import _films, _jmh
from workloads._tables import number, table

TITLE = 'Nested collections: films with actors and categories, three levels'
NEEDS = {'maven': 'mvn', 'default-jdk-headless': 'javac', 'nodejs': 'node', 'npm': 'npm'}

NODE = '''const { Client, types } = require('pg');
types.setTypeParser(114, text => text); types.setTypeParser(3802, text => text);
(async () => {
  const queries = JSON.parse(require('fs').readFileSync(process.argv[2])), rounds = Number(process.argv[3]), result = {};
  const client = new Client({ host: process.env.PGHOST, database: process.env.PGDATABASE });
  await client.connect();
  for (let i = -1; i < rounds; i++)
    for (const [name, text] of Object.entries(queries)) {
      const started = process.hrtime.bigint();
      const { rows } = await client.query({ name, text, rowMode: 'array' });
      const fetched = process.hrtime.bigint();
      JSON.parse(rows[0][0]);
      const parsed = process.hrtime.bigint();
      if (i >= 0) (result[name] = result[name] || []).push([Number(fetched - started) / 1e6, Number(parsed - fetched) / 1e6]);
    }
  await client.end();
  console.log(JSON.stringify(result));
})();'''


def through_node(queries, rounds, directory):
    subprocess.run(['npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', directory, 'pg@8'], check=True, stdout=subprocess.DEVNULL)
    (directory / 'fetch.js').write_text(NODE)
    (directory / 'queries.json').write_text(json.dumps(queries))
    times = json.loads(subprocess.check_output(['node', directory / 'fetch.js', directory / 'queries.json', str(rounds)], env=os.environ))
    return {name: {'fetch': statistics.median(t[0] for t in taken), 'parse': statistics.median(t[1] for t in taken),
                   'both': statistics.median(sum(t) for t in taken)} for name, taken in times.items()}


def measure(quick):
    result = {}
    queries = _films.queries('true')
    with tempfile.TemporaryDirectory() as directory:
        for films in (10, 100, 1000) if quick else (10, 1000, 10_000):
            _films.prepare(films)
            one = result[films] = {name: {'bytes': int(psql(f'SELECT octet_length(doc::text) FROM ({sql}) q(doc)'))} for name, sql in queries.items()}
            for name, times in through_node(queries, max(5, min(200, 20_000 // films) // (4 if quick else 1)), pathlib.Path(directory)).items():
                one[name]['node'] = times
            for name, times in _jmh.run('tree', _jmh.url(), queries, quick=quick).items():
                one[name]['jdbc'] = 1000 / times['ops']
    psql('DROP TABLE film')     # of whatever size it is now: throughput makes its own
    return result


def report(data):
    lines = ['Ratio: how many times longer than `jsonrow_agg_json`. JDBC: fetched and parsed by Jackson; Node: fetched by `pg`, parsed by `JSON.parse`.', '']
    for films, queries in data.items():
        ours = queries[_films.OURS]
        lines += [f'{int(films):,} films:', ''] + table(
            ['', 'JDBC', 'Node', 'bytes', 'JDBC, ms', 'Node, ms: fetch + parse', 'KiB'],
            [[name, f'{one["jdbc"] / ours["jdbc"]:.2f}', f'{one["node"]["both"] / ours["node"]["both"]:.2f}', f'{one["bytes"] / ours["bytes"]:.2f}', number(one['jdbc']),
              f'{number(one["node"]["fetch"])} + {number(one["node"]["parse"])}', f'{one["bytes"] / 1024:,.0f}'] for name, one in queries.items()])
    return lines


def charts(data):
    return {client: bars(f'Films with actors and categories, through {label}', 'times as long as jsonrow_agg_json', {
        f'{int(films):,} films': {name: get(one) / get(queries[_films.OURS]) for name, one in queries.items()} for films, queries in data.items()})
        for client, label, get in (('jdbc', 'JDBC and Jackson', lambda one: one['jdbc']), ('node', "Node's pg and JSON.parse", lambda one: one['node']['both']))}
