"""How long rows take to become objects, against a parse of json_agg's objects.

    python bench.py DOC OBJECTS [ROUNDS]

DOC and OBJECTS are files with what jsonrow_agg_json and json_agg give of the same
rows, which have values in all columns.  Prints JSON: milliseconds of CPU time, the
median of all rounds, from the text to the objects.  In each round all take turns.
orjson and msgspec are measured if they can be imported.
"""
import dataclasses
import gc
import json
import statistics
import sys
import time

import jsonrow

try:
    import orjson
except ImportError:
    orjson = None
try:
    import msgspec
except ImportError:
    msgspec = None


def struct(rows, **options):
    """A struct of such objects, nested ones too"""
    values = {name: [row[name] for row in rows if row[name] is not None] for name in rows[0]}
    return msgspec.defstruct('Row', [(name, annotation(cells, options)) for name, cells in values.items()], **options)


def annotation(cells, options):
    kinds = set(map(type, cells))
    if kinds == {list}:
        return list[struct([row for cell in cells for row in cell], **options)]
    return kinds.pop() if len(kinds) == 1 else float


def contenders(doc, objects):
    rows = json.loads(objects)
    yield 'json: objects', lambda: json.loads(objects)
    yield 'json: dicts', lambda: jsonrow.decode(doc)
    yield 'json: namedtuples', lambda: jsonrow.decode(doc, tuple)
    fields = [(name, object) for name in rows[0] if name.isidentifier()]
    dataclass = dataclasses.make_dataclass('Row', fields, slots=True)
    yield 'json: dataclasses', lambda: jsonrow.decode(doc, dataclass)
    for module in (orjson, msgspec and msgspec.json):
        if module:
            loads = module.loads if module is orjson else module.decode
            name = module.__name__.split('.')[0]
            yield f'{name}: objects', lambda loads=loads: loads(objects)
            yield f'{name}: dicts', lambda loads=loads: jsonrow.decode(doc, loads=loads)
    if msgspec:
        by_name, by_position = struct(rows), struct(rows, array_like=True)
        decoder = msgspec.json.Decoder(list[by_name])
        yield 'msgspec: objects into structs', lambda: decoder.decode(objects)
        yield 'msgspec: structs, array_like', lambda: jsonrow.decode(doc, by_position)
        yield 'msgspec: structs', lambda: jsonrow.decode(doc, by_name)


def main(doc, objects, rounds='15'):
    with open(doc, 'rb') as file:
        doc = file.read()
    with open(objects, 'rb') as file:
        objects = file.read()
    functions = dict(contenders(doc, objects))
    taken = {name: [] for name in functions}
    for _ in range(int(rounds)):
        for name, decode in functions.items():
            gc.collect()
            started = time.process_time()
            made = decode()
            taken[name].append((time.process_time() - started) * 1000)
            del made
    print(json.dumps({name: round(statistics.median(times), 3) for name, times in taken.items()}))


if __name__ == '__main__':
    main(*sys.argv[1:])
