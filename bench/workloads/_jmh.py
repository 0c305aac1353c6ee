"""JMH over JDBC: bench/java, built once, run with a set of queries."""
import json
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree

from measure import progress, psql, results_directory
from measured import Measured

java = pathlib.Path(__file__).parent.parent / 'java'
NEEDS = {'maven': 'mvn', 'default-jdk-headless': 'javac'}


def jar():
    path = java / 'target' / 'bench.jar'
    if not path.exists():
        built = subprocess.run(['mvn', '-q', '-B', f'-Dmaven.repo.local={results_directory() / "maven"}', 'package'],
                               cwd=java, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if built.returncode:
            raise RuntimeError('Maven could not build bench/java:\n' + built.stdout)
    return path


def versions():
    space = {'': 'http://maven.apache.org/POM/4.0.0'}
    pom = xml.etree.ElementTree.parse(java / 'pom.xml')
    libraries = {d.find('artifactId', space).text: d.find('version', space).text for d in pom.findall('dependencies/dependency', space)}
    runtime = subprocess.run(['java', '-version'], check=True, capture_output=True, text=True).stderr.splitlines()[0]
    return {'Java': runtime, 'JMH': pom.find('properties/jmh.version', space).text, 'pgjdbc': libraries['postgresql'],
            'Jackson': libraries['jackson-databind'], 'H2': libraries['h2']}


def url():
    return f'jdbc:postgresql://127.0.0.1:{psql("SHOW port")}/postgres?user={psql("SELECT current_user")}'


def run(method, url, queries, setup=(), quick=False):
    """
    Operations per second, by query, of two processes for each, in turns.
    setup is SQL to be run before, for all or {query: SQL}.
    """
    setups = {name: list(setup.get(name, ()) if isinstance(setup, dict) else setup) for name in queries}
    scores = {name: [] for name in queries}
    times = ['-wi', '1', '-w', '1', '-i', '3', '-r', '500ms']
    with tempfile.TemporaryDirectory() as directory:
        config, output = (pathlib.Path(directory) / name for name in ('queries.json', 'results.json'))
        config.write_text(json.dumps({
            'url': url, 'setup': {f'q{i}': setups[name] for i, name in enumerate(queries)}, 'queries': {f'q{i}': sql for i, sql in enumerate(queries.values())}}))
        for _ in range(1 if quick else 2):
            subprocess.run(['java', f'-Dqueries={config}', '-jar', jar(), f'Fetch.{method}$', '-f', '1', *times, '-rf', 'json', '-rff', output,
                            '-p', 'query=' + ','.join(f'q{i}' for i in range(len(queries)))], check=True, stdout=subprocess.DEVNULL)
            for result in json.loads(output.read_text()):
                name = list(queries)[int(result['params']['query'][1:])]
                scores[name] += [one for fork in result['primaryMetric']['rawData'] for one in fork]
            progress()
    return {name: {'ops': Measured(taken)} for name, taken in scores.items()}
