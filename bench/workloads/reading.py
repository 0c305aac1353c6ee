"""Members of stored documents, read by PostgreSQL's operators, with jsonrow.accelerate off and on."""
from charts import lines
from measure import backend_cpu, psql
from report import number, ratio
from workloads._planning import planning

TITLE = "Stored JSON, read by ->> as everybody does it"

MODES = {'off': 'SET jsonrow.accelerate = off;', 'on': 'SET jsonrow.accelerate = on;'}
LOADED = "LOAD 'jsonrow';\n"
MEMBERS = 40

# {name: (bytes, attributes of the column, rows)}
TABLES = {
    'short': (300, 'STORAGE PLAIN', 50_000),
    'inline': (4_000, 'STORAGE MAIN', 10_000),
    'c31': (31_000, 'STORAGE EXTENDED', 1000),
    'c100': (100_000, 'STORAGE EXTENDED', 300),
    'c1000': (1_000_000, 'STORAGE EXTENDED', 40),
    'e54': (54_000, 'STORAGE EXTERNAL', 1000),
    'e1000': (1_000_000, 'STORAGE EXTERNAL', 60),
    'e10000': (10_000_000, 'STORAGE EXTERNAL', 20),
}
WHAT = {
    'short': '300 bytes, in the row', 'inline': '4 kB, compressed, in the row', 'c31': '31 kB, compressed', 'c100': '100 kB, compressed',
    'c1000': '1 MB, compressed', 'e54': '54 kB, EXTERNAL', 'e1000': '1 MB, EXTERNAL', 'e10000': '10 MB, EXTERNAL',
}
READS = {
    'the first member': ['01'], 'one in the first half': ['15'], 'the last': ['39'], 'five members': ['01', '09', '17', '25', '37'],
}
PLANNED = {
    'no reader': 'SELECT g, count(*) FROM c31 GROUP BY g',
    'a join without readers': 'SELECT a.g FROM c31 a JOIN c100 b ON a.g = b.g JOIN e54 c ON b.g = c.g WHERE a.g > 5 ORDER BY 1',
    'one reader': "SELECT doc ->> 'k01' FROM c31",
    'five, and a condition': "SELECT doc ->> 'k00', doc ->> 'k09', doc ->> 'k18', doc ->> 'k27' FROM c31 WHERE doc ->> 'k36' = 'x'",
}


def query(table, members):
    """Something of each member that is read from all of it"""
    return f"SELECT {', '.join(f'count(doc ->> $$k{member}$$)' for member in members)} FROM {table}"


def prepare(table, quick):
    """
    Objects of forty members: every second one is short, the others are strings
    as long as one another, a third of them words, the others random.
    """
    size, attribute, rows = TABLES[table]
    rows = max(rows // (5 if quick else 1), 10)
    long = max(size // (MEMBERS // 2) - 20, 1)
    value = f"""left(string_agg(md5((i * 7919 + k * 31 + j)::text) || md5((i + k * j)::text) || ' and the words come again, and again', ''),
            CASE WHEN k % 2 = 1 THEN 8 ELSE {long} END)"""
    psql(f"""DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (g int, doc jsonb); ALTER TABLE {table} ALTER doc SET {attribute};
        INSERT INTO {table} SELECT i, (SELECT jsonb_object_agg('k' || to_char(k, 'FM00'), value) FROM (
            SELECT k, {value} AS value FROM generate_series(0, {MEMBERS - 1}) k, generate_series(1, {long // 100 + 1}) j GROUP BY k) m)
        FROM generate_series(1, {rows}) i""")
    psql(f'VACUUM ANALYZE {table}')
    return rows


def one(table, quick):
    rows = prepare(table, quick)
    contenders = {(what, mode): (MODES[mode], query(table, members)) for what, members in READS.items() for mode in MODES}
    if table == 'c31':
        contenders |= {(n, mode): (MODES[mode], query(table, [f'{(3 + 6 * k) % MEMBERS:02}' for k in range(n)])) for n in range(1, 11) for mode in MODES}
    taken = backend_cpu(contenders, 5, LOADED, 50)
    result = {}
    for (what, mode), ms in taken.items():
        result.setdefault(str(what), {})[mode] = ms * 1000 / rows
    return result


def parts(quick):
    return {table: lambda table=table: one(table, quick) for table in TABLES} | {
        'planning': lambda: planning(PLANNED, MODES, 5, LOADED)}


def main_ratios(data):
    c31, e54, e10000 = data['c31'], data['e54'], data['e10000']
    return {
        'five members of 31 kB, compressed: off / on': c31['five members']['off'] / c31['five members']['on'],
        'five members, on / one, off': c31['five members']['on'] / c31['the last']['off'],
        'one member of 54 kB, EXTERNAL: off / on': e54['one in the first half']['off'] / e54['one in the first half']['on'],
        'one member of 10 MB, EXTERNAL: off / on': e10000['one in the first half']['off'] / e10000['one in the first half']['on'],
    }


def gain(one):
    return one['off'] / one['on']


def headlines(data):
    return [('five members read of a stored, compressed document of 31 kB', [gain(data['c31']['five members'])])]


def shared_table(data, out):
    c31, half = data['c31'], 'one in the first half'
    out.shared_table('reading', ['', 'CPU, off / on'], [
        ['five members of a compressed document of 31 kB', number(gain(c31['five members']))],
        ['... beside the last of them alone, with the setting off', number(c31['the last']['off'] / c31['five members']['on'])],
        ['one in the first half of 100 kB, of 1 MB, compressed', ', '.join(number(gain(data[name][half])) for name in ('c100', 'c1000'))],
        ['the last of a compressed document of 31 kB', number(gain(c31['the last']))],
        ['one in the first half of 54 kB, of 10 MB, stored `EXTERNAL`', ', '.join(number(gain(data[name][half])) for name in ('e54', 'e10000'))]])


def report(data, out):
    out.text('''CPU of the backend, in microseconds per row, for `count(doc ->> 'k01')` over a table of documents of forty members,
        twenty of them short, with jsonrow.accelerate off and on; a short one is read. With it on, a document is fetched and decompressed once for all members, and no further than
        they need; of one that is stored EXTERNAL, only the pieces that have the member are.''')
    shared_table(data, out)
    for table in TABLES:
        out.text(WHAT[table] + ':')
        out.table(['', 'off / on', 'off, us', 'on, us'], [
            [what, ratio(data[table][what]['off'], data[table][what]['on']), number(data[table][what]['off']), number(data[table][what]['on'])]
            for what in READS])
    counts = {mode: [(n, data['c31'][str(n)][mode]) for n in range(1, 11)] for mode in MODES}
    out.chart('members', 'Time by the number of members that are read', lines(
        'Members of a compressed document of 31 kB: lower is better', 'members read', 'microseconds of CPU per row',
        {'': {"PostgreSQL's ->>": counts['off'], 'jsonrow.accelerate': counts['on']}}, ('linear', 'linear'),
        note="""SELECT doc ->> 'a', doc ->> 'b', ... from a table, unchanged, with the setting off and on."""))
    out.text('Planning, in microseconds:')
    out.table(['', 'off', 'on', 'more'], [[what, number(us['off']), number(us['on']), number(us['on'] - us['off'])]
                                         for what, us in data['planning'].items()])
    out.statements({what: query('c31', members) for what, members in READS.items()})
