#!/usr/bin/env python3
"""Runs the workloads of bench/workloads and writes what they measured.

    run.py [--quick] [--again] [NAME ...]

A workload that has been measured already, in the same mode, is not measured
again: an interrupted run goes on where it was.  --again measures all anew.
The measurements go to RESULTS/NAME.json, the tables of all of them to
RESULTS.md beside it, the charts to RESULTS/NAME-*.svg.
"""
import argparse
import importlib
import json
import os
import pathlib
import platform
import shutil
import sys
import time

from measure import psql

here = pathlib.Path(__file__).parent
results = pathlib.Path(os.environ.get('RESULTS', here / 'results'))


def workloads():
    return sorted(path.stem for path in (here / 'workloads').glob('*.py') if path.stem[0] != '_')


def machine():
    cpu = next((line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')), '?')
    memory = int(open('/proc/meminfo').readline().split()[1]) // 1024 // 1024
    settings = ', '.join(psql("SELECT name || ' = ' || current_setting(name) FROM pg_settings WHERE name IN "
                              "('shared_buffers', 'jit', 'work_mem', 'max_parallel_workers_per_gather', 'max_wal_size') ORDER BY name").splitlines())
    return [f'{cpu}, {os.cpu_count()} cores, {memory} GiB, {platform.platform()}', psql('SELECT version()'), settings]


def load(name, quick):
    path = results / f'{name}.json'
    if path.exists():
        saved = json.loads(path.read_text())
        if saved['quick'] == quick:
            return saved
    return None


def measure(name, quick):
    module = importlib.import_module(f'workloads.{name}')
    print(f'\n== {name}: {module.TITLE}', file=sys.stderr)
    started = time.time()
    data = module.measure(quick)
    saved = {'quick': quick, 'seconds': time.time() - started, 'date': time.strftime('%Y-%m-%d'), 'machine': machine(), 'data': data}
    (results / f'{name}.json').write_text(json.dumps(saved, indent='\t'))
    return saved


def write_report(quick):
    lines = ['# Results', '', 'Written by `scripts/bench`. What each workload does, and what to beware of: [README.md](README.md).', '']
    seen = set()
    for name in workloads():
        saved = load(name, quick)
        if saved is None:
            continue
        module = importlib.import_module(f'workloads.{name}')
        if tuple(saved['machine']) not in seen:
            seen.add(tuple(saved['machine']))
            lines += ['- ' + line for line in saved['machine']] + ['']
        lines += [f'## {module.TITLE}', '', f'`scripts/bench {name}`, {saved["date"]}, took {saved["seconds"]:.0f} s' + (', `--quick`' if saved['quick'] else '') + '.', '']
        lines += module.report(saved['data'])
        for chart, figure in module.charts(saved['data']).items():
            figure.savefig(results / f'{name}-{chart}.svg', metadata={'Date': None})
            lines += [f'![{chart}](results/{name}-{chart}.svg)', '']
    (results.parent / 'RESULTS.md').write_text('\n'.join(lines))
    print(f'wrote {results.parent / "RESULTS.md"}', file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', metavar='NAME', help='workloads, of: ' + ', '.join(workloads()))
    parser.add_argument('--quick', action='store_true', help='smaller sizes, fewer rounds')
    parser.add_argument('--needs', action='store_true', help='only say which Debian packages they need')
    parser.add_argument('--again', action='store_true', help='measure even what has been measured')
    args = parser.parse_args()
    unknown = set(args.names) - set(workloads())
    if unknown:
        parser.error(f'no such workload: {", ".join(sorted(unknown))}')

    if args.needs:
        for name in args.names or workloads():
            for package, command in getattr(importlib.import_module(f'workloads.{name}'), 'NEEDS', {}).items():
                if command is None or not shutil.which(command):
                    print(package)
        return
    results.mkdir(parents=True, exist_ok=True)
    psql('CREATE EXTENSION IF NOT EXISTS jsonrow')
    for name in args.names or workloads():
        if args.again or load(name, args.quick) is None:
            measure(name, args.quick)
            write_report(args.quick)
    write_report(args.quick)


if __name__ == '__main__':
    main()
