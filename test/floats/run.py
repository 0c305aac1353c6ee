#!/usr/bin/env python3
"""Compares our floats with PostgreSQL's, on the server that the PG* variables name.

Needs floats.so beside it, which that server can read, and a superuser; leaves
nothing there.  Ends with a line that counts.  See README.md.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent.parent / 'src/format'))
sys.dont_write_bytecode = True		# the sources are no place for it
import float_powers

MODULE = HERE / 'floats'
FUNCTIONS = {'floats_float4': 'bigint, bigint, bigint', 'floats_float8': 'bigint[]', 'floats_random': 'text, bigint, bigint'}

# Kinds of random float8s, and how many there are of each among 21
KINDS = {'any bits': 6, 'common exponents': 5, 'integers': 3, 'few bits': 3, 'subnormals': 2, 'short decimals': 2}

FLOAT4S = 2 ** 32
PIECE = 2 ** 22			# how many are compared by one call
NEIGHBOURS = 40


def ask(call):
    """The answer of a session of its own"""
    create = ''.join(f"CREATE FUNCTION pg_temp.{name}({types}) RETURNS bigint STRICT LANGUAGE c AS '{MODULE}', '{name}';"
                     for name, types in FUNCTIONS.items())
    answer = subprocess.run(['psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', *([] if 'PGDATABASE' in os.environ else ['-d', 'postgres'])],
                            input=f'SET extra_float_digits = 1; {create} SELECT pg_temp.{call};', check=True, stdout=subprocess.PIPE, text=True)
    return int(answer.stdout)


def bits_of(value):
    return struct.unpack('<q', struct.pack('<d', value))[0]


def boundaries():
    """Powers of two and ten with their neighbours, what is hardest to tell, and the negatives of these"""
    centres = [bits_of(2.0 ** n) for n in range(-1074, 1024)] + [bits_of(float(f'1e{n}')) for n in range(-323, 309)]
    centres += [bits_of(float(n)) for n in range(1000)] + [bits_of(n + 0.5) for n in range(1000)] + [0, 0x7FF << 52]
    found = {centre + step for centre in centres for step in range(-NEIGHBOURS, NEIGHBOURS + 1)} | set(float_powers.hardest())
    return sorted(bits - sign for bits in found if bits >= 0 for sign in (0, 2 ** 63))


def pieces(count):
    """(first, how many) of each"""
    return [(first, min(PIECE, count - first)) for first in range(0, count, PIECE)]


def calls(args):
    """(what, how many, the call) for all that is to be compared"""
    step = FLOAT4S // args.float4
    for first, count in pieces(args.float4):
        yield 'float4', count, f'floats_float4({first * step + args.seed % step}, {step}, {count})'
    found = boundaries()
    for first, count in pieces(len(found)):
        yield 'boundaries', count, f"floats_float8('{{{','.join(map(str, found[first:first + count]))}}}')"
    for kind, share in KINDS.items():
        for first, count in pieces(args.float8 * share // sum(KINDS.values())):
            yield kind, count, f"floats_random('{kind}', {args.seed + first}, {count})"


def compare(args):
    """Returns {what: [how many, how many failed]}."""
    result = {}
    started = told = time.monotonic()
    # Few at a time, for each takes memory, and an interrupt should be heard.
    todo = calls(args)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as executor:
        while batch := list(itertools.islice(todo, 8 * args.jobs)):
            for (what, count, _), failures in zip(batch, executor.map(lambda call: ask(call[2]), batch)):
                total = result.setdefault(what, [0, 0])
                total[0] += count
                total[1] += failures
            if time.monotonic() > told + 15:
                told = time.monotonic()
                print(f'{told - started:.0f} s: {sum(count for count, _ in result.values()):,} compared', file=sys.stderr)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--float4', type=int, default=FLOAT4S, metavar='COUNT', help='how many float4s; all, if not given')
    parser.add_argument('--float8', type=int, default=1_050_000_000, metavar='COUNT', help='how many random float8s')
    parser.add_argument('--seed', type=int, default=1, help='of what is random')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='so many processes')
    args = parser.parse_args()
    if not 0 < args.float4 <= FLOAT4S:
        parser.error(f'there are {FLOAT4S} float4s')
    started = time.monotonic()
    result = compare(args)
    for what, (count, failures) in result.items():
        print(f'{what}: {count:,} compared, {failures:,} failed')
    float8 = sum(count for what, (count, _) in result.items() if what != 'float4')
    failures = sum(failures for _, failures in result.values())
    print(f'{result["float4"][0]:,} float4s and {float8:,} float8s in {time.monotonic() - started:.0f} s, {failures:,} failed')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
