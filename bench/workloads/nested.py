"""Films with actors and categories, three levels, as tools ask for them today.

Through JDBC (JMH, Jackson) and through Node's pg (JSON.parse).
"""
import json
import pathlib
import subprocess
import tempfile

from charts import bars
from measure import progress
from measured import Measured
from report import number, ratio
from workloads import _films, _jmh
from workloads._libraries import npm, npm_version

TITLE = 'Nested collections: films with their actors, the awards of these, and categories'
NEEDS = _jmh.NEEDS | {'nodejs': 'node', 'npm': 'npm'}

# What is sent before: the settings are there when the library is loaded.
ACCELERATE = ["SELECT jsonrow_is_valid(jsonb '{}')", 'SET jsonrow.accelerate = on']
UNNEST = [*ACCELERATE, 'SET jsonrow.unnest = on']

NODE = '''const { Client, types } = require('pg');
types.setTypeParser(114, text => text); types.setTypeParser(3802, text => text);
(async () => {
  const { queries, setups } = JSON.parse(require('fs').readFileSync(process.argv[2])), rounds = Number(process.argv[3]), result = {};
  const clients = {};
  for (const setup of Object.values(setups)) {
    if (clients[setup]) continue;
    const client = clients[setup] = new Client({ host: process.env.PGHOST, database: process.env.PGDATABASE });
    await client.connect();
    for (const text of setup) await client.query(text);
  }
  for (let i = -1; i < rounds; i++)
    for (const [name, text] of Object.entries(queries)) {
      const started = process.hrtime.bigint();
      const { rows } = await clients[setups[name]].query({ name, text, rowMode: 'array' });
      const fetched = process.hrtime.bigint();
      JSON.parse(rows[0][0]);
      const parsed = process.hrtime.bigint();
      if (i >= 0) (result[name] = result[name] || []).push([Number(fetched - started) / 1e6, Number(parsed - fetched) / 1e6]);
    }
  for (const client of Object.values(clients)) await client.end();
  console.log(JSON.stringify(result));
})();'''


def node_modules():
    return npm('node', 'pg@~8.12')


def versions():
    return _jmh.versions() | {'Node.js': subprocess.check_output(['node', '--version'], text=True).strip(), 'pg': npm_version(node_modules(), 'pg')}


def through_node(queries, setups, rounds):
    directory = node_modules()
    with tempfile.TemporaryDirectory() as temporary:
        config = pathlib.Path(temporary) / 'queries.json'
        config.write_text(json.dumps({'queries': queries, 'setups': setups}))
        (directory / 'fetch.js').write_text(NODE)
        times = json.loads(subprocess.check_output(['node', directory / 'fetch.js', config, str(rounds)]))
    progress()
    return {name: {'fetch': Measured([t[0] for t in taken]), 'parse': Measured([t[1] for t in taken]), 'both': Measured(list(map(sum, taken)))} for name, taken in times.items()}


def contenders(queries):
    """Each as it is, and with the settings that do something for it"""
    for name, sql in queries.items():
        yield name, sql, '', []
        if '(' in name:     # a tool's
            yield name, sql, ', jsonrow.accelerate', ACCELERATE
        if '(' in name or name == _films.OURS:
            yield name, sql, ', jsonrow.unnest', UNNEST


def one_size(films, quick):
    _films.prepare(films)
    plain = _films.queries('true')
    _films.check(plain)
    queries, setups = {}, {}
    for name, sql, setting, setup in contenders(plain):
        queries[name + setting], setups[name + setting] = sql, setup
    node = through_node(queries, setups, max(5, min(200, 20_000 // films) // (4 if quick else 1)))
    jdbc = _jmh.run('tree', _jmh.url(), queries, setups, quick)
    return {name: {'bytes': _films.size(sql), 'node': node[name], 'jdbc': 1000 / jdbc[name]['ops']}
            for name, sql in queries.items()}


def parts(quick):
    return {str(films): lambda films=films: one_size(films, quick) for films in ((10, 100, 1000) if quick else (10, 1000, 10_000))}


def main_ratios(data):
    films, queries = list(data.items())[-1]
    return {f'{int(films):,} films with actors and awards, over JDBC: {name}': queries[name]['jdbc'] / queries[_films.OURS]['jdbc']
            for name in queries if '(' in name and 'jsonrow.' not in name}


def report(data, out):
    out.text(f'''What tools send to PostgreSQL for a nested collection, each in its own manner (see the SQL), beside hoisted documents; and the same
        queries with `jsonrow.accelerate`, and with that and `jsonrow.unnest`. All films come
        in one document, where some tools would fetch the outermost rows as rows. Fetched and parsed: over JDBC by Jackson into a tree, in Node.js by `pg` and `JSON.parse`. The same rows are in all of them;
        the bytes differ by the names and, of jsonb, by the spaces that PostgreSQL prints.
        Most of the time is the executor's, which must find some few rows for each of many subqueries: see `{_films.FLOOR}`; `jsonrow.unnest` makes joins of these. In Node.js half the bytes are not parsed in half the time,
        for V8 allocates the elements of an array apart from it, and these arrays are small.''')
    for films, queries in data.items():
        ours = queries[_films.OURS]
        out.text(f'{int(films):,} films; ratios to `{_films.OURS}`:')
        out.table(['', 'JDBC', 'Node.js', 'bytes', 'JDBC, ms', 'Node.js, ms: fetch + parse', 'KiB'], [
            [name, ratio(one['jdbc'], ours['jdbc']), ratio(one['node']['both'], ours['node']['both']), ratio(one['bytes'], ours['bytes']),
             number(one['jdbc']), f'{number(one["node"]["fetch"])} + {number(one["node"]["parse"])}',
             f'{one["bytes"] / 1024:,.0f}' if one['bytes'] else ''] for name, one in queries.items()], 4)
    films, queries = list(data.items())[-1]
    out.chart('time', 'Time to fetch and parse nested collections, by tool', bars(
        f'{int(films):,} films with their actors, the awards of these, and categories, fetched and parsed: shorter is better', {
            'JDBC, Jackson: milliseconds': {name: one['jdbc'] for name, one in queries.items()},
            'Node.js, JSON.parse: milliseconds': {name: one['node']['both'] for name, one in queries.items()},
            'size: KiB': {name: one['bytes'] / 1024 for name, one in queries.items() if one['bytes']}}, floor=_films.FLOOR,
        note='In brackets the tools that send such queries. The floor finds the same rows in PostgreSQL, by as many subqueries, and makes no JSON of them: less takes only what makes joins of these.'))
    out.statements(_films.queries('true'))
