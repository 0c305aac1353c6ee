"""JMH over JDBC: bench/java, built once, run with a set of queries."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from measure import psql

java = pathlib.Path(__file__).parent.parent / 'java'


def available():
    return bool(shutil.which('mvn') and shutil.which('java'))


def url():
    return f'jdbc:postgresql://127.0.0.1:{psql("SHOW port")}/postgres?user={psql("SELECT current_user")}'


def run(method, url, queries, setup=(), quick=False):
    """Operations per second, with JMH's error, by query."""
    jar = java / 'target' / 'bench.jar'
    if not jar.exists():
        subprocess.run(['mvn', '-q', '-B', 'package'], cwd=java, check=True)
    with tempfile.TemporaryDirectory() as directory:
        config = pathlib.Path(directory) / 'queries.json'
        config.write_text(json.dumps({'url': url, 'setup': list(setup), 'queries': {f'q{i}': sql for i, sql in enumerate(queries.values())}}))
        output = pathlib.Path(directory) / 'results.json'
        times = ['-wi', '1', '-w', '1', '-i', '2', '-r', '1'] if quick else ['-wi', '2', '-w', '1', '-i', '7', '-r', '1']
        subprocess.run(['java', f'-Dqueries={config}', '-jar', jar, f'Fetch.{method}$', '-f', '1', *times, '-rf', 'json', '-rff', output,
                        '-p', 'query=' + ','.join(f'q{i}' for i in range(len(queries)))], check=True, stdout=subprocess.DEVNULL)
        scores = {int(result['params']['query'][1:]): result['primaryMetric'] for result in json.loads(output.read_text())}
    return {name: {'ops': scores[i]['score'], 'error': scores[i]['scoreError'] if isinstance(scores[i]['scoreError'], float) else None}
            for i, name in enumerate(queries)}
