"""Nested collections: as subqueries, as joins, and what jsonrow.unnest makes of them.

Authors with their books, chapters and figures: so many of each for one of those
above.  The same with its joins written by hand.  CPU time of one backend, in turns.
"""
import json
import statistics

from charts import lines
from measure import backend_cpu, psql
from report import number, ratio
from workloads._planning import planning

TITLE = 'Nested collections as joins: `jsonrow.unnest`'

TABLES = ('author', 'book', 'chapter', 'figure')
CHILDREN = (1, 10, 100)
PARENTS = (10, 100, 1000, 10_000, 100_000)
LEVELS = (1, 2, 3)
COSTLY = 500_000        # of two seconds or so
BEFORE = "SELECT jsonrow_is_valid(jsonb '{}') \\g /dev/null\nSET jsonrow.accelerate = on; SET max_parallel_workers_per_gather = 0; SET client_min_messages = warning;\n"
MODES = {
    'written': 'SET jsonrow.unnest = off;',
    'joined': 'SET jsonrow.unnest = on; SET jsonrow.unnest_above_cost = 0;',
    'chosen': 'SET jsonrow.unnest = on; RESET jsonrow.unnest_above_cost;',
}
WITHIN = 1.25


def query(levels, condition):
    """Authors that meet the condition, with what is below them, so many levels deep"""
    sql = ''
    for level in range(levels, 0, -1):
        table, above = TABLES[level], TABLES[level - 1]
        names, columns = '{id,title,price' + (f',{TABLES[level + 1]}s' if sql else '') + '}', f'{table}.id, {table}.title, {table}.price'
        sql = f""",
{'  ' * level}(SELECT jsonrow_agg_json('{names}', {columns}{sql}) FROM {table} WHERE {table}.{above} = {above}.id)"""
    return f"SELECT jsonrow_agg_json('{{id,name,books}}', author.id, author.name{sql}) FROM author WHERE {condition}"


def by_hand(levels, condition):
    """The same with joins: collections of all children, or of those below such authors, grouped first, from the bottom up"""
    sql, wanted = '', '' if condition == 'true' else f'SELECT author.id FROM author WHERE {condition}'
    conditions = ['']
    for level in range(1, levels + 1):
        table, above = TABLES[level], TABLES[level - 1]
        conditions.append(f' WHERE {table}.{above} IN ({wanted})' if wanted else '')
        wanted = wanted and f'SELECT {table}.id FROM {table}{conditions[level]}'
    for level in range(levels, 0, -1):
        table, above, below = TABLES[level], TABLES[level - 1], f'{TABLES[level + 1]}s' if sql else ''
        names, value = '{id,title,price' + (f',{below}' if below else '') + '}', f', {below}.doc' if below else ''
        sql = f"""
{'  ' * level}LEFT JOIN (SELECT {table}.{above}, jsonrow_agg_json('{names}', {table}.id, {table}.title, {table}.price{value}) AS doc FROM {table}{sql}{conditions[level]}
{'  ' * level}GROUP BY {table}.{above}) {table}s ON {table}s.{above} = {above}.id"""
    return f"SELECT jsonrow_agg_json('{{id,name,books}}', author.id, author.name, books.doc) FROM author{sql} WHERE {condition}"


def table_of(level, rows, children, kind):
    """Those that belong together are not stored together."""
    above = rows // children
    return f"""
        CREATE {kind} TABLE {TABLES[level]} AS SELECT i AS id, (i * 7919::bigint % {above} + 1)::int AS {TABLES[level - 1]}, 'Title of number ' || i AS title,
            (i % 1000000)::numeric / 100 AS price FROM generate_series(1, {rows}) i;
        ALTER TABLE {TABLES[level]} ADD PRIMARY KEY (id);"""


def tables(levels, parents, children, kind=''):
    """Statements that make them, without indexes on the foreign keys"""
    return f"""
        DROP TABLE IF EXISTS {', '.join(TABLES)};
        CREATE {kind} TABLE author AS SELECT i AS id, 'Name of number ' || i AS name FROM generate_series(1, {parents}) i;
        ALTER TABLE author ADD PRIMARY KEY (id);""" + ''.join(
        table_of(level, parents * children ** level, children, kind) for level in range(1, levels + 1))


def foreign_keys(levels):
    return ''.join(f'CREATE INDEX {TABLES[level]}_of ON {TABLES[level]} ({TABLES[level - 1]});' for level in range(1, levels + 1))


def refresh(levels):
    for table in TABLES[:levels + 1]:
        psql(f'VACUUM ANALYZE {table}')


def explain(sql, mode, before, options):
    return psql(f'{before}{MODES[mode]} EXPLAIN ({options}) {sql};')


def cost(sql, before):
    return json.loads(explain(sql, 'written', before, 'FORMAT JSON'))[0]['Plan']['Total Cost']


def choice(sql, before):
    """Which of the plans is chosen"""
    plans = {mode: explain(sql, mode, before, 'COSTS OFF') for mode in MODES}
    return next((mode for mode in ('written', 'joined') if plans[mode] == plans['chosen']), 'some joined')


def fewer_parents(sql, parents, before):
    """For the same with fewer of them, if all take long: how many"""
    costs = cost(sql, before)
    return parents if costs < COSTLY else max(1, int(parents * COSTLY / costs))


def contest(levels, parents, whole, rows, before=BEFORE):
    """Milliseconds of each mode, and which is chosen; of subqueries that take long, what they would take by some parents."""
    condition = 'true' if whole else f'author.id <= {parents}'
    sql = query(levels, condition)
    chosen, some = choice(sql, before), fewer_parents(sql, parents, before)
    modes = [mode for mode in MODES if some == parents or not (mode == 'written' or chosen == 'written' and mode == 'chosen')]
    contenders = {mode: (MODES[mode], sql) for mode in modes} | {'by hand': (MODES['written'], by_hand(levels, condition))}
    times = backend_cpu(contenders, max(3, min(5, 200_000 // rows)), before, 60)
    if some < parents:
        fewer = {'written': (MODES['written'], query(levels, f'author.id <= {some}'))}
        times = {'written': backend_cpu(fewer, 1, before)['written'] * parents / some} | times
        times.setdefault('chosen', times['written'])
    return {'levels': levels, 'parents': parents, 'whole': whole, 'choice': chosen, 'estimated': some < parents} | times


def sizes(levels, children, most):
    """How many parents there are, and whether these are the most"""
    parents = [n for n in PARENTS if n * children ** levels <= most]
    return [(n, n == parents[-1]) for n in parents]


def cells(levels, children, most):
    """Prepare each table, and tell of what to measure: with an index?, parents, all?, rows."""
    for parents, largest in sizes(levels, children, most):
        psql(tables(levels, parents, children))
        rows = parents * children ** levels
        for indexed in (False, True):
            if indexed:
                psql(foreign_keys(levels))
            refresh(levels)
            yield indexed, parents, True, rows
            for n in PARENTS if largest else ():
                if n < parents:
                    yield indexed, n, False, rows


def measured(levels, children, most):
    return [contest(levels, parents, whole, rows) | {'indexed': indexed, 'children': children, 'rows': rows}
            for indexed, parents, whole, rows in cells(levels, children, most)]


def planned(quick):
    """Microseconds of planning, by levels and parents of a page"""
    result = {}
    for levels in LEVELS:
        psql(tables(levels, 1000, 10 if levels < 3 else 5) + foreign_keys(levels))
        refresh(levels)
        queries = {f'{levels}, {parents}': query(levels, f'author.id <= {parents}') for parents in (1, 10, 100, 1000)}
        result |= planning(queries, MODES, 3 if quick else 7, BEFORE)
    return result


STALE = "ALTER TABLE author SET (autovacuum_enabled = off); ALTER TABLE book SET (autovacuum_enabled = off);"


def grown(rows):
    """Statistics of ten rows each"""
    psql(tables(1, 10, 1) + foreign_keys(1) + STALE)
    refresh(1)
    psql(f"""INSERT INTO author SELECT i, 'Name of number ' || i FROM generate_series(11, {rows}) i;
        INSERT INTO book SELECT i, (i * 7919::bigint % {rows} + 1)::int, 'Title of number ' || i, 1 FROM generate_series(11, {rows}) i;""")


def shrunk(rows):
    """Statistics of many, of which ten are left"""
    psql(tables(1, rows, 1) + foreign_keys(1) + STALE)
    refresh(1)
    psql('DELETE FROM author WHERE id > 10; DELETE FROM book WHERE author > 10;')


def children_grown(rows):
    """As many parents as the statistics tell, but ten thousand times the children"""
    psql(tables(1, 10, 1) + foreign_keys(1) + STALE)
    refresh(1)
    psql(f"INSERT INTO book SELECT i, i % 10 + 1, 'Title of number ' || i, 1 FROM generate_series(11, {rows}) i;")


def misled(quick):
    """Where statistics are of another time, or none"""
    rows, result = 10_000 if quick else 100_000, {}
    for name, prepare in {'ten rows when analyzed': grown, 'ten rows are left': shrunk, 'ten children when analyzed': children_grown}.items():
        prepare(rows)
        parents = 10 if prepare is not grown else rows
        result[f'{name}, {rows:,} then' if prepare is shrunk else f'{name}, {rows:,} now'] = contest(1, parents, True, rows)
        if prepare is grown:
            result[f'{name}, {rows:,} now: a page of 10'] = contest(1, 10, False, rows)
    for parents, children in ((10, 1), (10, 10), (1000, 10), (rows // 10, 10)):
        for indexed in (True, False):
            before = BEFORE + tables(1, parents, children, 'TEMP') + (foreign_keys(1) if indexed else '') + '\n'
            result[f'temporary tables, never analyzed: {parents:,} with {children} each, {"" if indexed else "no "}index'] = contest(1, parents, True, parents * children, before)
    return result


def parts(quick):
    most = 100_000 if quick else 300_000
    combined = [(levels, children) for levels in LEVELS for children in CHILDREN if sizes(levels, children, most)]
    result = {f'{levels} down, {children} each': lambda levels=levels, children=children: measured(levels, children, most) for levels, children in combined}
    return result | {'planning': lambda: planned(quick), 'misled': lambda: misled(quick)}


def loss(cell):
    """How many times as long as the better of both the chosen one takes"""
    return cell['chosen'] / min(cell['written'], cell['joined'])


def described(cell):
    return f'{cell["parents"]:,} parents{"" if cell["whole"] else " of more"}, {cell["children"]} children each, levels below: {cell["levels"]}, {"index" if cell["indexed"] else "no index"}'


def summary(cells, out):
    for what, some in {'All': cells, 'With indexes': [cell for cell in cells if cell['indexed']], 'Without': [cell for cell in cells if not cell['indexed']]}.items():
        worst = max(some, key=loss)
        good = sum(loss(cell) <= WITHIN for cell in some)
        joined = [cell['by hand'] / cell['chosen'] for cell in some if cell['choice'] != 'written']
        out.text(f'{what}: of {len(some)} cases {good} ({good / len(some):.0%}) are within a quarter of the better of both; the worst takes '
                 f'{loss(worst):.2f} times as long ({described(worst)}), the median {statistics.median(map(loss, some)):.2f} times. '
                 f'Where it joins ({len(joined)} cases), joins by hand take {statistics.median(joined):.2f} times as long (median; {min(joined):.2f} to {max(joined):.2f}).')


CHOICES = {'written': 'subqueries', 'joined': 'joins', 'some joined': 'some joins'}


def cells_table(cells, out):
    out.table(['parents', 'children each', 'written / joined', 'chosen / better', 'by hand / chosen', 'chosen', 'written, ms', 'joined, ms', 'chosen, ms', 'by hand, ms'], [
        [f'{cell["parents"]:,}' + ('' if cell['whole'] else ' of more'), cell['children'], ratio(cell['written'], cell['joined']), number(loss(cell)),
         ratio(cell['by hand'], cell['chosen']), CHOICES[cell['choice']],
         ('≈ ' if cell['estimated'] else '') + number(cell['written']), *[number(cell[mode]) for mode in ('joined', 'chosen', 'by hand')]] for cell in cells], 6)


def panel(cells):
    """{children: [(parents, written / joined)]}"""
    result = {}
    for cell in sorted(cells, key=lambda cell: (cell['children'], cell['parents'])):
        result.setdefault(f'{cell["children"]} each', []).append((cell['parents'], cell['written'] / cell['joined']))
    return result


def drawn(cells):
    """The chart's panels, and the points in them where there are joins"""
    panels, joined = {}, {}
    for whole in (True, False):
        for levels in LEVELS:
            some = [cell for cell in cells if cell['indexed'] and cell['levels'] == levels and cell['whole'] == whole]
            heading = f'{"all" if whole else "some"} parents; levels below: {levels}'
            panels[heading] = panel(some)
            joined[heading] = {(cell['parents'], cell['written'] / cell['joined']) for cell in some if cell['choice'] != 'written'}
    return panels, joined


def report(data, out):
    cells = [cell for part, some in data.items() if part not in ('planning', 'misled') for cell in some]
    out.text('''Authors with their books, chapters of these, figures of these: as the query is written, a subquery for each row (`written`); as joins
        wherever it can be (`joined`, `jsonrow.unnest_above_cost = 0`); what the setting chooses by itself (`chosen`); and with joins in the query (`by hand`). CPU time of the backend, planning and sending included. Statistics are
        fresh. Children of a row lie apart. Where not all parents are taken, they are of the largest table of that kind. Without an index subqueries are quadratic: where they would take more than two seconds,
        some parents were measured, and all calculated (≈).''')
    summary(cells, out)
    panels, joined = drawn(cells)
    out.chart('time', 'Nested collections: where joins take less time than subqueries', lines(
        'Nested collections, subqueries / joins: above 1 joins take less time', 'parents', 'time of subqueries / joins', panels, across=3, one='the same', marked=joined,
        note='It makes joins of the red dots; hollow ones stay as they were written. One child, 10 or 100 of each row, at each level; '
             'foreign keys have indexes. Some parents: the first so many of the largest table. CPU time of the backend.'))
    for indexed in (True, False):
        for levels in LEVELS:
            out.heading(f'Levels below the parents: {levels}; {"indexes" if indexed else "no indexes"} on the foreign keys')
            cells_table([cell for cell in cells if cell['indexed'] == indexed and cell['levels'] == levels], out)
    out.heading('Planning')
    out.table(['levels below, parents', 'chosen - written, us', 'chosen / written', 'written, us', 'joined, us', 'chosen, us'], [
        [name, number(us['chosen'] - us['written']), ratio(us['chosen'], us['written']), *[number(us[mode]) for mode in MODES]] for name, us in data['planning'].items()], 3)
    out.heading('Statistics that mislead, or none')
    out.table(['', 'written / joined', 'chosen / better', 'chosen', 'written, ms', 'joined, ms', 'chosen, ms'], [
        [name, ratio(cell['written'], cell['joined']), number(loss(cell)), CHOICES[cell['choice']],
         ('≈ ' if cell['estimated'] else '') + number(cell['written']), number(cell['joined']), number(cell['chosen'])] for name, cell in data['misled'].items()], 4)
    out.statements({f'levels below: {levels}{name}': make(levels, 'author.id <= 100')
                    for levels in LEVELS for name, make in {'': query, ', by hand': by_hand}.items()})
