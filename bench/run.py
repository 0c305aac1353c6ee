#!/usr/bin/env python3
"""Runs the workloads of bench/workloads and writes what they measured.

    run.py [--quick] [NAME ...]

A workload is measured in parts, and each part is kept when it is done, in
RESULTS/NAME.json: an interrupted run goes on where it was.  What was measured
of another build of jsonrow, by other code or another server, or in the other
mode, is measured anew, and so is all when nothing is missing.  RESULTS.md,
beside RESULTS, tells what is there; its charts are RESULTS/NAME-*.svg.

--publish measures what is missing of all workloads, in full, and what others
disturbed, and writes doc/benchmarks.md, with its charts in doc/charts, and the
tables that README.md and other pages of doc have in common with it.

--headlines measures the workloads that these pages begin with.  The report
shows them beside its own if they are of another release of PostgreSQL.
"""
import argparse
import importlib
import json
import os
import pathlib
import platform
import re
import shutil
import sys
import time
import traceback

import figures
import load
import measure
from measure import psql, results_directory
from measured import from_json, to_json
from report import Report, number

here = pathlib.Path(__file__).parent
os.environ.setdefault('RESULTS', str(here / 'results'))
results = results_directory()
TRIES = 3       # to measure a part that is to be published, while others disturb it
SETTINGS = ('shared_buffers', 'fsync', 'jit', 'work_mem', 'max_parallel_workers_per_gather', 'max_wal_size', 'wal_level')


def workloads():
    return sorted(path.stem for path in (here / 'workloads').glob('*.py') if path.stem[0] != '_')


def workload(name):
    return importlib.import_module(f'workloads.{name}')


def state(name):
    """Of the code that measures a workload, and of what it measures of ours besides the extension"""
    sources = {path for pattern in getattr(workload(name), 'SOURCES', ()) for path in here.parent.glob(pattern)
               if path.is_file() and path.suffix != '.pyc'}
    return figures.digest([here / 'measure.py', here / 'workloads' / f'{name}.py', *(here / 'workloads').glob('_*.py'), *sources])


def environment():
    cpu = next((line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')), platform.processor())
    memory = int(open('/proc/meminfo').readline().split()[1]) // 1024 // 1024
    settings = psql('SELECT ' + " || ', ' || ".join(f"'{name} = ' || current_setting('{name}')" for name in SETTINGS))
    version = psql("SELECT extversion FROM pg_extension WHERE extname = 'jsonrow'")
    return {'Machine': f'{cpu}, {os.cpu_count()} cores, {memory} GiB, {platform.platform()}', 'Server': psql('SELECT version()'),
            'Settings': settings, 'jsonrow': f'{version}, sources {figures.sources()}'}


def read(name):
    path = results / f'{name}.json'
    return json.loads(path.read_text()) if path.exists() else None


def save(name, saved):
    unfinished = results / f'{name}.json.new'
    unfinished.write_text(json.dumps(saved, indent='\t'))
    unfinished.rename(results / f'{name}.json')


def is_complete(saved):
    """And not of a time when the load was not recorded"""
    return saved and saved['complete'] and 'commit' in saved and all('load' in part for part in saved['parts'].values())


def unfinished_or_new(names, quick, again):
    """What there is of these workloads to go on with; nothing if all of it is there, and again is true."""
    now = environment()
    found = {name: read(name) for name in names}
    commit = os.environ.get('COMMIT', 'unknown')
    new = {name: {'quick': quick, 'environment': now, 'state': state(name), 'commit': commit, 'complete': False, 'parts': {}} for name in names}
    found = {name: saved for name, saved in found.items() if saved and 'commit' in saved and all(saved.get(key) == new[name][key] for key in ('quick', 'environment', 'state'))}
    if again and all(name in found and found[name]['complete'] for name in names):
        found = {}
    return new | found


def measure_part(call, quick, tries):
    for _ in range(tries):
        waited = 0 if quick else load.wait_for_quiet()
        with load.watched() as watched:
            data = json.loads(json.dumps(to_json(call())))     # as it will be read again: numbers as keys are text
        if not load.was_disturbed(watched):
            break
    return {'seconds': watched['seconds'], 'load': watched | {'waited': waited}, 'data': data}


def measure_workload(name, saved, progress, tries):
    module = workload(name)
    parts = module.parts(saved['quick'])
    for i, (part, call) in enumerate(parts.items(), 1):
        print(f'[{progress}] {name}, {i} of {len(parts)}: {part} ', end='', file=sys.stderr, flush=True)
        if part in saved['parts'] and (tries == 1 or not load.was_disturbed(saved['parts'][part]['load'])):
            print('(measured before)', file=sys.stderr)
            continue
        saved['parts'][part] = measured = measure_part(call, saved['quick'], tries)
        save(name, saved)
        print(f" {measured['seconds']:.0f} s{' (others were at work)' if load.was_disturbed(measured['load']) else ''}", file=sys.stderr)
    if not saved['complete']:
        saved |= {'complete': True, 'date': time.strftime('%Y-%m-%d'), 'versions': getattr(module, 'versions', dict)()}
        save(name, saved)


def measure_all(names, quick, again):
    """Gives those that failed: one that lacks what it needs keeps the others from nothing."""
    failed = []
    psql('CREATE EXTENSION IF NOT EXISTS jsonrow')
    if quick:
        measure.patience = 1
    for i, (name, saved) in enumerate(unfinished_or_new(names, quick, again).items(), 1):
        try:
            measure_workload(name, saved, f'{i}/{len(names)}', 1 if again else TRIES)
        except Exception:
            traceback.print_exc()
            failed.append(name)
            continue
        write_section(name, saved)
        write_report()
    return failed


def data_of(saved):
    return {part: from_json(measured['data']) for part, measured in saved['parts'].items()}


def write_section(name, saved):
    """RESULTS/NAME.md, and its charts."""
    module, report = workload(name), Report(name, results)
    seconds = sum(part['seconds'] for part in saved['parts'].values())
    report.lines += [f'## {module.TITLE}', '', f'`scripts/bench {"--quick " if saved["quick"] else ""}{name}`, {saved["date"]}, {seconds:.0f} s'
                     + ''.join(f'; {what} {version}' for what, version in saved['versions'].items()) + '.', '']
    module.report(data_of(saved), report)
    (results / f'{name}.md').write_text('\n'.join(report.lines))


def anchor(title):
    """Of a heading, as GitHub makes it"""
    return re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-')


def main_ratios(complete):
    """What each workload counts among the main things to know of it"""
    body = []
    for name, saved in complete.items():
        for what, value in getattr(workload(name), 'main_ratios', lambda data: {})(data_of(saved)).items():
            body.append(f'| {what} | {number(value)} | [{name}](#{anchor(workload(name).TITLE)}) |')
    return ['| times as long, or as much, as jsonrow | ratio | details |', '|---|---|---|', *body, ''] if body else []


def headlines(complete):
    """(what, values) of each workload that has some"""
    return [line for name, saved in complete.items() for line in getattr(workload(name), 'headlines', lambda data: [])(data_of(saved))]


def release(saved):
    return re.match(r'PostgreSQL (\d+)', saved['environment']['Server'])[1]


def headlines_of_releases(complete):
    """{release: {what: values}}, the report's own first"""
    result = {release(saved): dict(headlines(complete)) for saved in complete.values()}
    ours = next(iter(complete.values()))['environment']['jsonrow']
    for directory in sorted(results.glob('headlines-*')):
        found = {path.stem: json.loads(path.read_text()) for path in sorted(directory.glob('*.json'))}
        if found and all(is_complete(saved) and saved['environment']['jsonrow'] == ours for saved in found.values()):
            result.setdefault(release(next(iter(found.values()))), dict(headlines(found)))
    return result


def table_of_headlines(complete):
    of = headlines_of_releases(complete)
    report = Report('', results)
    report.shared_table('headlines', ['times less CPU time', *(f'PostgreSQL {version}' for version in of)], [
        [what, *(', '.join(map(number, lines.get(what, []))) for lines in of.values())] for what in next(iter(of.values()))])
    return report.lines


def load_lines(complete):
    """The load of all parts, and which of them others have disturbed"""
    loads = {f'{name}, {part}': measured['load'] for name, saved in complete.items() for part, measured in saved['parts'].items()}
    seconds = sum(one['seconds'] for one in loads.values())
    first, highest = next(iter(loads.values()))['before'], max(one['during'] for one in loads.values())
    others, stolen = (sum(one[what] * one['seconds'] for one in loads.values()) / seconds for what in ('others', 'steal'))
    disturbed = [name for name, one in loads.items() if load.was_disturbed(one)]
    lines = [f'- Load: {seconds / 60:.0f} minutes of measuring; load average {first:.1f} before, {highest:.1f} at most. Others than the benchmark and its server kept '
             f'{others:.2f} cores busy, and the hypervisor took {stolen:.2f}.']
    if disturbed:
        lines.append(f'- **Disturbed**, more than {load.DISTURBED} cores gone to others: {len(disturbed)} of {len(loads)} parts{": " + "; ".join(disturbed) if len(disturbed) < 10 else ""}.')
    report = Report('', results)
    report.begin_fold('Load, part by part')
    report.table(['part', 'seconds', 'load average before', 'at most', 'after', 'cores of ours', 'of others', 'stolen', 'seconds waited for quiet'], [
        [name, f"{one['seconds']:.0f}", *[f'{one[what]:.2f}' for what in ('before', 'during', 'after', 'ours', 'others', 'steal')], f"{one['waited']:.0f}"]
        for name, one in loads.items()])
    report.end_fold()
    return lines + ['', *report.lines]


HOW = '''Each ratio tells how many times as long, or as much, the other takes as jsonrow, or as what the table names. The contenders took turns: a figure is the median of
the rounds, a ratio that of the rounds' own ratios. `~` stands before what varied by more than a quarter between rounds: the middle half of them, or all if there were
fewer than five. In the charts ours is red. How each is measured, and what to beware of: [bench/README.md](README.md).'''


def report_of(title, complete):
    lines = [f'# {title}', '', *HOW.splitlines(), '']
    for saved in {json.dumps(saved['environment']): saved for saved in complete.values()}.values():
        of_these = {name: one for name, one in complete.items() if one['environment'] == saved['environment']}
        lines += [f'- {what}: {value}' for what, value in saved['environment'].items()]
        lines[-1] += f", commit {' and '.join(sorted({one['commit'] for one in of_these.values()}))}"
        lines += load_lines(of_these) + table_of_headlines(of_these) + main_ratios(of_these)
        lines += [(results / f'{name}.md').read_text() for name in of_these]
    return '\n'.join(lines)


def write_report():
    """RESULTS.md, of all sections there are."""
    saved = {name: read(name) for name in workloads()}
    complete = {name: one for name, one in saved.items() if is_complete(one) and (results / f'{name}.md').exists()}
    (results.parent / 'RESULTS.md').write_text(report_of('Results', complete))


def publish():
    """doc/benchmarks.md and its charts, of a whole run, and its tables in other pages"""
    doc = results.parent.parent / 'doc'
    charts = doc / 'charts'
    complete = {name: read(name) for name in workloads()}
    for name, saved in complete.items():
        write_section(name, saved)
    text = report_of('Benchmarks', complete).replace('(README.md)', '(../bench/README.md)').replace('(results/', '(charts/')
    charts.mkdir(parents=True, exist_ok=True)
    for old in charts.glob('*-*.svg'):
        if old.name.split('-')[0] in complete:
            old.unlink()
    for chart in re.findall(r'\(charts/(.+?\.svg)\)', text):
        shutil.copy(results / chart, charts)
    (doc / 'benchmarks.md').write_text(text)
    for page in (doc.parent / page.relative_to(figures.top) for page in figures.pages()):
        before = page.read_text()
        page.write_text(figures.filled(before, figures.tables(text)))
    print(f'wrote {doc / "benchmarks.md"} and the tables of other pages', file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', metavar='NAME', help='workloads, of: ' + ', '.join(workloads()))
    parser.add_argument('--quick', action='store_true', help='smaller sizes, fewer rounds')
    parser.add_argument('--needs', action='store_true', help='only say which Debian packages they need')
    parser.add_argument('--publish', action='store_true', help='all, in full, but what has been measured already; then write doc/benchmarks.md')
    parser.add_argument('--headlines', action='store_true', help='the workloads that pages begin with')
    parser.add_argument('--report', action='store_true', help='only write RESULTS.md of what has been measured')
    args = parser.parse_args()
    unknown = set(args.names) - set(workloads())
    if unknown:
        parser.error(f'no such workload: {", ".join(sorted(unknown))}; there are {", ".join(workloads())}')
    names = args.names or [name for name in workloads() if not args.headlines or hasattr(workload(name), 'headlines')]
    if args.needs:
        needs = {package: file for name in names for package, file in getattr(workload(name), 'NEEDS', {}).items()}
        print(*(package for package, file in needs.items() if not (shutil.which(file) or os.path.exists(file))), sep='\n')
        return
    if args.publish and (args.quick or args.names or args.headlines):
        parser.error('only a whole run is published')
    results.mkdir(parents=True, exist_ok=True)
    failed = []
    if args.report:
        for name in names:
            saved = read(name)
            if is_complete(saved):
                write_section(name, saved)
    else:
        failed = measure_all(names, args.quick, not (args.publish or args.headlines))
    write_report()
    print(f'wrote {results.parent / "RESULTS.md"}', file=sys.stderr)
    if failed:
        sys.exit('not measured: ' + ', '.join(failed))
    if args.publish:
        publish()


if __name__ == '__main__':
    main()
