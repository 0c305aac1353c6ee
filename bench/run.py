#!/usr/bin/env python3
"""Runs the workloads of bench/workloads and writes what they measured.

    run.py [--quick] [NAME ...]

A workload is measured in parts, and each part is kept when it is done, in
RESULTS/NAME.json: an interrupted run goes on where it was.  What was measured
of another build of jsonrow, by other code or another server, or in the other
mode, is measured anew, and so is all when nothing is missing.  RESULTS.md,
beside RESULTS, tells what is there; its charts are RESULTS/NAME-*.svg.
"""
import argparse
import hashlib
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

from measure import psql, results_directory
from report import Report

here = pathlib.Path(__file__).parent
os.environ.setdefault('RESULTS', str(here / 'results'))
results = results_directory()
SETTINGS = ('shared_buffers', 'fsync', 'jit', 'work_mem', 'max_parallel_workers_per_gather', 'max_wal_size', 'wal_level')


def workloads():
    return sorted(path.stem for path in (here / 'workloads').glob('*.py') if path.stem[0] != '_')


def workload(name):
    return importlib.import_module(f'workloads.{name}')


def digest(paths):
    """Tells one state of these files from another."""
    result = hashlib.sha1()
    for path in sorted(paths):
        result.update(path.read_bytes())
    return result.hexdigest()[:10]


def state(name):
    """Of the code that measures a workload"""
    return digest([here / 'measure.py', here / 'workloads' / f'{name}.py', *(here / 'workloads').glob('_*.py')])


def environment():
    cpu = next((line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')), platform.processor())
    memory = int(open('/proc/meminfo').readline().split()[1]) // 1024 // 1024
    settings = psql('SELECT ' + " || ', ' || ".join(f"'{name} = ' || current_setting('{name}')" for name in SETTINGS))
    version = psql("SELECT extversion FROM pg_extension WHERE extname = 'jsonrow'")
    sources = digest([*(here.parent / 'src').rglob('*.[ch]'), *here.parent.glob('*.sql')])
    return {'Machine': f'{cpu}, {os.cpu_count()} cores, {memory} GiB, {platform.platform()}', 'Server': psql('SELECT version()'),
            'Settings': settings, 'jsonrow': f'{version}, sources {sources}'}


def load(name):
    path = results / f'{name}.json'
    return json.loads(path.read_text()) if path.exists() else None


def save(name, saved):
    unfinished = results / f'{name}.json.new'
    unfinished.write_text(json.dumps(saved, indent='\t'))
    unfinished.rename(results / f'{name}.json')


def unfinished_or_new(names, quick):
    """What there is of these workloads to go on with."""
    now = environment()
    found = {name: load(name) for name in names}
    new = {name: {'quick': quick, 'environment': now, 'state': state(name), 'complete': False, 'parts': {}} for name in names}
    found = {name: saved for name, saved in found.items() if saved and all(saved.get(key) == new[name][key] for key in ('quick', 'environment', 'state'))}
    if all(name in found and found[name]['complete'] for name in names):
        found = {}
    return new | found


def measure(name, saved, progress):
    module = workload(name)
    parts = module.parts(saved['quick'])
    for i, (part, call) in enumerate(parts.items(), 1):
        print(f'[{progress}] {name}, {i} of {len(parts)}: {part} ', end='', file=sys.stderr, flush=True)
        if part in saved['parts']:
            print('(measured before)', file=sys.stderr)
            continue
        started = time.time()
        data = json.loads(json.dumps(call()))     # as it will be read again: numbers as keys are text
        seconds = time.time() - started
        saved['parts'][part] = {'seconds': seconds, 'data': data}
        save(name, saved)
        print(f' {seconds:.0f} s', file=sys.stderr)
    if not saved['complete']:
        saved |= {'complete': True, 'date': time.strftime('%Y-%m-%d'), 'versions': getattr(module, 'versions', dict)()}
        save(name, saved)


def measure_all(names, quick):
    """Gives those that failed: one that lacks what it needs keeps the others from nothing."""
    failed = []
    psql('CREATE EXTENSION IF NOT EXISTS jsonrow')
    for i, (name, saved) in enumerate(unfinished_or_new(names, quick).items(), 1):
        try:
            measure(name, saved, f'{i}/{len(names)}')
        except Exception:
            traceback.print_exc()
            failed.append(name)
            continue
        write_section(name, saved)
        write_report()
    return failed


def write_section(name, saved):
    """RESULTS/NAME.md, and its charts."""
    module, report = workload(name), Report(name, results)
    seconds = sum(part['seconds'] for part in saved['parts'].values())
    report.lines += [f'## {module.TITLE}', '', f'`scripts/bench {"--quick " if saved["quick"] else ""}{name}`, {saved["date"]}, {seconds:.0f} s'
                     + ''.join(f'; {what} {version}' for what, version in saved['versions'].items()) + '.', '']
    module.report({part: measured['data'] for part, measured in saved['parts'].items()}, report)
    (results / f'{name}.md').write_text('\n'.join(report.lines))


def write_report():
    """RESULTS.md, of all sections there are."""
    lines = ['# Results', '', 'Written by `scripts/bench`. How each is measured, and what to beware of: [README.md](README.md). '
             'In the charts ours is red. Each table begins with ratios: how many times as much, or as long, the other takes as jsonrow, or what the table names. '
             'What is called the seed is the publication that the workload follows.', '']
    told = None
    for name in workloads():
        saved, section = load(name), results / f'{name}.md'
        if not saved or not saved['complete'] or not section.exists():
            continue
        if saved['environment'] != told:
            told = saved['environment']
            lines += [f'- {what}: {value}' for what, value in told.items()] + ['']
        lines.append(section.read_text())
    (results.parent / 'RESULTS.md').write_text('\n'.join(lines))


def publish():
    """The charts that the documentation shows, to where it has them."""
    top = here.parent
    for page in [top / 'README.md', *sorted((top / 'doc').glob('*.md'))]:
        for name in re.findall(r'\((?:doc/)?charts/(.+?\.svg)\)', page.read_text()):
            shutil.copy(results / name, top / 'doc' / 'charts' / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', metavar='NAME', help='workloads, of: ' + ', '.join(workloads()))
    parser.add_argument('--quick', action='store_true', help='smaller sizes, fewer rounds')
    parser.add_argument('--needs', action='store_true', help='only say which Debian packages they need')
    parser.add_argument('--publish', action='store_true', help='only copy the charts that the documentation shows to doc/charts')
    parser.add_argument('--report', action='store_true', help='only write RESULTS.md of what has been measured')
    args = parser.parse_args()
    unknown = set(args.names) - set(workloads())
    if unknown:
        parser.error(f'no such workload: {", ".join(sorted(unknown))}; there are {", ".join(workloads())}')
    names = args.names or workloads()
    if args.needs:
        needs = {package: file for name in names for package, file in getattr(workload(name), 'NEEDS', {}).items()}
        print(*(package for package, file in needs.items() if not (shutil.which(file) or os.path.exists(file))), sep='\n')
        return
    if args.publish:
        publish()
        return
    results.mkdir(parents=True, exist_ok=True)
    failed = []
    if args.report:
        for name in names:
            saved = load(name)
            if saved and saved['complete']:
                write_section(name, saved)
    else:
        failed = measure_all(names, args.quick)
    write_report()
    print(f'wrote {results.parent / "RESULTS.md"}', file=sys.stderr)
    if failed:
        sys.exit('not measured: ' + ', '.join(failed))


if __name__ == '__main__':
    main()
