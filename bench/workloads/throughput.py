"""Transactions per second of nested results, by clients: pgbench, prepared."""
import re
import tempfile

from charts import lines
from measure import pgbench, progress, server_cpu
from measured import Measured
from report import number, ratio
from workloads import _films

TITLE = 'Server throughput: twenty films with actors, awards and categories'

CLIENTS = (1, 2, 8)


def transactions(sql, clients, seconds):
    with tempfile.NamedTemporaryFile('w', suffix='.sql') as script:
        script.write('\\set first random(1, 900)\n' + sql + ';\n')
        script.flush()
        cpu = server_cpu()
        output = pgbench('-M', 'prepared', '-c', clients, '-j', min(clients, 2), '-T', seconds, '-f', script.name)
        cpu = server_cpu() - cpu
    progress()
    return {'tps': float(re.search(r'tps = ([\d.]+)', output)[1]), 'cpu': cpu * 1000 / int(re.search(r'actually processed: (\d+)', output)[1])}


def queries():
    return _films.queries('film_id BETWEEN :first AND :first + 19')


def by_clients(clients, quick):
    _films.prepare(1000)
    taken = {name: [] for name in queries()}
    for _ in range(1 if quick else 3):
        for name, sql in queries().items():
            taken[name].append(transactions(sql, clients, 1 if quick else 2))
    return {name: {what: Measured([one[what] for one in runs]) for what in runs[0]} for name, runs in taken.items()}


def sizes():
    _films.prepare(1000)
    return {name: _films.size(sql.replace(':first', '100')) for name, sql in queries().items()}


def parts(quick):
    return {f'{clients}': lambda clients=clients: by_clients(clients, quick) for clients in CLIENTS} | {'bytes': sizes}


def report(data, out):
    sent, by_clients = data['bytes'], {part: times for part, times in data.items() if part != 'bytes'}
    ours = {clients: times[_films.OURS] for clients, times in by_clients.items()}
    out.text(f'''Twenty films of a thousand, each with its actors and categories, in one document: a page of an API, by the queries of `nested`.
        Ratios: transactions per second of `{_films.OURS}` over those of the other, and the other's CPU time and bytes over ours. pgbench runs on the same cores. With one client
        much of the time is pgbench and the server waking each other, so that two clients do more than twice as much.''')
    ratios = [*[f'tps ratio, {clients} clients' for clients in ours], 'CPU ratio', 'bytes ratio']
    values = [*[f'tps, {clients} clients' for clients in ours], 'server CPU ms per transaction, 8 clients', 'bytes']
    body = []
    for name, size in sent.items():
        times = {clients: by_clients[clients][name] for clients in ours}
        body.append([name, *[ratio(ours[clients]['tps'], one['tps']) for clients, one in times.items()], ratio(times['8']['cpu'], ours['8']['cpu']),
                     ratio(size, sent[_films.OURS]), *[number(one['tps']) for one in times.values()], number(times['8']['cpu']), f'{size:,}' if size else ''])
    out.table(['', *ratios, *values], body, 1 + len(ratios))
    for what, title, unit in (('tps', 'Transactions per second: higher is better', 'transactions per second'),
                              ('cpu', 'Server CPU of a transaction: lower is better', 'milliseconds of CPU')):
        out.chart(what, title, lines(f'Twenty films with actors, awards and categories. {title}', 'clients', unit, {
            '': {name: [(int(clients), times[name][what]) for clients, times in by_clients.items()] for name in sent}}, ('linear', 'linear'),
            note='''All processes of the server; pgbench runs on the same cores. The floor finds the same rows and makes no JSON of them.'''))
    out.statements(queries())
