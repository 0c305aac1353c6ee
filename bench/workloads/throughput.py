"""Transactions per second of nested results, by clients: pgbench, prepared."""
import os
import re
import subprocess
import tempfile

from charts import lines
from measure import psql
from workloads import _films
from workloads._tables import number, table

TITLE = 'Server throughput: one film page with actors and categories'

CLIENTS = (1, 2, 4, 8)


def server_cpu():
    """CPU seconds of all processes of this server so far; those that ended count for their parent."""
    postmaster = int(open(psql('SHOW data_directory') + '/postmaster.pid').readline())
    ticks = 0
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            fields = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
        except OSError:
            continue
        if int(pid) == postmaster:
            ticks += sum(map(int, fields[11:15]))
        elif int(fields[1]) == postmaster:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf('SC_CLK_TCK')


def transactions(sql, clients, seconds):
    with tempfile.NamedTemporaryFile('w', suffix='.sql') as script:
        script.write('\\set first random(1, 900)\n' + sql + ';\n')
        script.flush()
        cpu = server_cpu()
        output = subprocess.run(['pgbench', '-n', '-M', 'prepared', '-c', str(clients), '-j', str(min(clients, 2)), '-T', str(seconds), '-f', script.name],
                                check=True, capture_output=True, text=True).stdout
        cpu = server_cpu() - cpu
    count = int(re.search(r'transactions actually processed: (\d+)', output)[1])
    tps = float(re.search(r'tps = ([\d.]+)', output)[1])
    return {'tps': tps, 'cpu_ms': cpu * 1000 / count}


def measure(quick):
    _films.prepare(1000)
    result = {}
    for clients in CLIENTS:
        for name, sql in _films.queries('film_id BETWEEN :first AND :first + 19').items():
            one = transactions(sql, clients, 2 if quick else 8)
            one['bytes'] = int(psql(f'SELECT sum(octet_length(doc::text)) FROM ({sql.replace(":first", "100")}) q(doc)'))
            result.setdefault(name, {})[clients] = one
    return result


def report(data):
    ours = data[_films.OURS]
    head = ['', *[f'tps ratio, {c} clients' for c in CLIENTS], *[f'tps, {c}' for c in CLIENTS], 'bytes', 'CPU ms per transaction']
    return ['Twenty films of a thousand, each with its actors and categories, as one document. Ratio: transactions per second of '
            f'`{_films.OURS}` over those of the other.', ''] + table(head, [
                [name, *[f'{ours[c]["tps"] / times[c]["tps"]:.2f}' for c in map(str, CLIENTS)], *[number(times[c]['tps']) for c in map(str, CLIENTS)],
                 f'{times["1"]["bytes"]:,}', number(times['2']['cpu_ms'])] for name, times in data.items()])


def charts(data):
    return {'tps': lines('Twenty films with actors and categories', 'clients', 'transactions per second',
                         {name: [(int(c), times[c]['tps']) for c in times] for name, times in data.items()}, log=False)}
