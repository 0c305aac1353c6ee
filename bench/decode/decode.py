"""
decode.py LIBRARY HOW SHAPE FILE TIMES [CHECK]: JSON text in bytes made into values, so many times; prints the median of the milliseconds.
CHECK is a file of the objects that must come out.  $EXPAND is the decoder of doc/format.md, $PYTHONPATH has the client and the libraries.
"""
import gc
import json
import os
import statistics
import sys
import time


def of(library):
    """What parses bytes"""
    if library == 'orjson':
        import orjson
        return orjson.loads
    if library == 'msgspec':
        import msgspec
        return msgspec.json.decode
    if library == 'json, gc off':
        gc.disable()
    return json.loads


def struct_of(shape, **options):
    """What msgspec makes of a row"""
    import msgspec

    def struct(name, **fields):
        return msgspec.defstruct(name, list(fields.items()), **options)
    if shape == 'flat':
        return struct('Row', user=str, sessionId=int, command=str, statement=str, transactionId=int, time=int)
    award = struct('Award', year=int, prize=str)
    actor = struct('Actor', first_name=str, last_name=str, awards=list[award])
    return struct('Film', film_id=int, title=str, year=int, rating=float, actors=list[actor])


def structs_of_rows(shape):
    """Of the rows of a document, whose header is passed over"""
    import msgspec
    document = msgspec.json.Decoder(msgspec.defstruct('Document', [('rows', list[struct_of(shape, array_like=True)])]))
    return lambda text: document.decode(text).rows


def structs_of_objects(shape):
    import msgspec
    return msgspec.json.Decoder(list[struct_of(shape)]).decode


def expander(parse):
    names = {}
    exec(os.environ['EXPAND'], names)
    return lambda text: names['expand'](parse(text))


def client(library, parse):
    import jsonrow
    return jsonrow.decode if library.startswith('json') else lambda text: jsonrow.decode(text, loads=parse)


def client_structs(shape):
    import jsonrow
    struct = struct_of(shape, array_like=True)
    return lambda text: jsonrow.decode(text, struct)


def maker(library, how, shape):
    parse = of(library)
    return {
        'parse': lambda: parse,
        'expand': lambda: expander(parse),
        'client': lambda: client(library, parse),
        'structs of objects': lambda: structs_of_objects(shape),
        'structs of rows': lambda: structs_of_rows(shape),
        "client's structs": lambda: client_structs(shape),
    }[how]()


def plain(value):
    """Structs as dicts, to compare them"""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if hasattr(value, '__struct_fields__'):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    return value


def main():
    library, how, shape, path, times = sys.argv[1:6]
    make, text, taken = maker(library, how, shape), open(path, 'rb').read(), []
    if sys.argv[6:] and plain(make(text)) != json.load(open(sys.argv[6])):
        sys.exit(f'{library}, {how}: these are not the objects')
    for _ in range(int(times)):
        started = time.perf_counter()
        make(text)
        taken.append((time.perf_counter() - started) * 1000)
    print(statistics.median(taken))


main()
