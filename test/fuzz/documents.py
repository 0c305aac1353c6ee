"""The documents that the fuzzer starts from, sound ones, and the tables it keeps them in; fuzz.c damages them."""
import json

# Small enough to be damaged at every byte.
SMALL = [
    '{"cols":["a","b"],"rows":[[1,"x"],[2.50,null]]}',
    '{"cols":["a","b"],"vals":[[1,2],["x",null]]}',
    '{"cols":["a","b"],"rows":[null,[-1e-20,true]]}',
    '{"cols":["a",{"b":["x","y"]}],"rows":[[1,[1,"p"]],null,[2,null]]}',
    '{"cols":["a",{"d":[["x","y"]]}],"rows":[[1,[[1,"p"],null]],[2,[]],[3,null]]}',
    '{"cols":["a",{"d":[["x","y"]]}],"vals":[[1,2],[[[1,"p"]],[]]]}',
    '{"cols":[{"d":[["a",{"b":[["x"]]}]]}],"rows":[[[[1,[["p"]]]]]]}',
    '{"cols":["a"],"rows":[[{"k":[1]}]],"types":["int4"]}',
    '{"cols":["a"],"vals":[[1]],"types":1}',
    '{"cols":["a",{"d":[["x","y"]]},{"b":["x"]}],"rows":[[1,[[1,"p"]],[2]],[2,null,null]],'
    '"types":["int8",{"d":["varchar(3)",null]},{"b":["text[]"]}]}',
    '{"cols":["a",{"d":[[]]}],"vals":[["1"],[null]],"types":["int8",{"d":[]}]}',
    '{"cols":[{"b":[[]]},{"a":[]}],"rows":[[[],null],[null,null]]}',
    '{"cols":["a","b"],"rows":[]}',
    '{"cols":["a"],"vals":[[]]}',
    '{"cols":[],"rows":[[],null]}',
    '{"cols":[],"vals":[]}',
    '{"cols":["","a\\"b","\\u00e9\\n","a","a"],"rows":[["",1e300,false,[],{}]]}',
    '[{"a":1,"b":"x"},{"b":{"c":[null]}},null]',
    '[1,"a"]', '"x"', '1.5', 'null',
]


def rows(count, cell):
    return [[i] + cell(i) for i in range(count)]


def medium():
    """Past a JEntry's stride, long cells, two and three levels."""
    pairs = lambda i: [[j, "y%d" % j] for j in range(i % 40)]
    flat = rows(70, lambda i: ["text %d" % i, i / 8])
    yield {"cols": ["a", "b", "c"], "rows": flat}
    yield {"cols": ["a", "b", "c"], "vals": [list(v) for v in zip(*flat)]}
    yield {"cols": ["a", {"d": [["x", "y"]]}], "rows": rows(35, lambda i: [pairs(i)])}
    yield {"cols": ["a", {"b": ["a", {"b": ["x", "y"]}, "c"]}], "rows": rows(34, lambda i: [[i, [i, "y"], None]])}
    yield {"cols": ["a", {"d": [["a", {"b": ["x", "y"]}, {"c": [["x", "y"]]}]]}],
           "rows": rows(6, lambda i: [[[i, [i, "n"], pairs(i)], None]])}
    yield {"cols": ["a", {"b": [["a", "b"]]}], "vals": [list(range(40)), [pairs(i) for i in range(40)]]}
    yield {"cols": ["c%d" % i for i in range(65)], "rows": [list(range(65)), None]}
    yield {"cols": ["a", "b"], "rows": [[1, "long" * 600], [10 ** 40, "\u00e9" * 9]]}
    yield {"cols": ["a", {"b": ["name" * 70000]}], "rows": [[1, [2]], None]}
    yield [{"a": i, "b": "x", "k%d" % (i % 5): [i]} for i in range(40)]


def large():
    """So large that, stored uncompressed, it is read by pieces."""
    cells = lambda i: ["some text of row %d" % i, [[i, "y"], [0, None]]]
    wide = rows(1000, cells)
    yield {"cols": ["a", "b", {"d": [["x", "y"]]}], "rows": wide}
    yield {"cols": ["a", "b", {"d": [["x", "y"]]}], "vals": [list(v) for v in zip(*wide)]}
    yield {"cols": ["a"] + ["name %d" % i for i in range(400)], "rows": rows(12, lambda i: ["cell"] * 400)}


def odd_value(rng, depth=0):
    """Any JSON value, most often one that stands somewhere in a document."""
    kind = rng.randrange(14)
    if kind < 3:
        return rng.choice([None, True, 0, 1, -2.5, 10 ** 30, "", "a", "x", "rows", "cols"])
    if kind < 6:
        return rng.choice([[], {}, [[]], [None], [[None]], ["a"], [["a"]], {"a": ["x"]}, {"a": [["x"]]}, [["x"], ["y"]]])
    if depth > 3 or kind < 7:
        return None
    if kind < 11:
        return [odd_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(["a", "b", "rows", "vals", "cols", "types"]): odd_value(rng, depth + 1) for _ in range(rng.randrange(3))}


def changed(value, rng):
    """The value with something inside it, at any depth, not what it was."""
    if rng.random() < 0.15 or not isinstance(value, (list, dict)) or not value:
        return odd_value(rng)
    value = value.copy()
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    kind = rng.randrange(12)
    if kind == 0:
        del value[key]
    elif kind == 1 and isinstance(value, list):
        value.insert(key, odd_value(rng))
    elif kind == 1:
        value[rng.choice(["a", "types", "vals"])] = value.pop(key)
    elif kind == 2:
        value[key] = [value[key]]
    else:
        value[key] = changed(value[key], rng)
    return value


def near(rng, count):
    """Values that are nearly documents, and some that are."""
    seeds = [json.loads(s) for s in SMALL] + [m for m in medium() if len(str(m)) < 20000]
    for _ in range(count):
        value = rng.choice(seeds)
        for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
            value = changed(value, rng)
        yield value


def as_text(value, rng):
    """JSON text with what jsonb would take out: blanks, escapes, members twice."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 1]))
    if rng.random() < 0.1:
        text = text.replace('"rows"', r'"\u0072ows"')
    if rng.random() < 0.1:
        text = text.replace(rng.choice(['"x"', '"a"', '"b"']), r'"\u0000"', 1)
    if rng.random() < 0.1 and text.startswith("{") and len(text) > 2:
        text = '{"cols": [], ' + text[1:]
    return text


def texts(values):
    return [json.dumps(v) for v in values]


def fill_once(db):
    everything = SMALL + texts(medium())
    documents = "SELECT v::jsonb FROM unnest(%s) v WHERE jsonrow_is_valid(v::jsonb)"
    db.run("INSERT INTO p_small SELECT v::jsonb FROM unnest(%s) v", SMALL)
    db.run("INSERT INTO p_small_json SELECT v::json FROM unnest(%s) v", SMALL)
    db.run("INSERT INTO p_jsonb SELECT v::jsonb FROM unnest(%s) v UNION ALL VALUES (NULL::jsonb)", everything)
    db.run("INSERT INTO p_json SELECT v::json FROM unnest(%s) v UNION ALL VALUES (NULL::json)", everything)
    db.run("INSERT INTO p_jsonrow " + documents + " UNION ALL VALUES (NULL::jsonb)", everything)
    db.run("INSERT INTO p_jsonrow_json SELECT v::json FROM p_jsonrow")
    db.run("INSERT INTO good_jsonb SELECT v FROM p_jsonb")
    db.run("INSERT INTO good_jsonrow SELECT v FROM p_jsonrow")
    db.run("INSERT INTO good_documents SELECT ROW(v, v, v, v)::documents FROM p_jsonrow")
    db.run("INSERT INTO p_small_jsonrow SELECT v FROM p_small WHERE jsonrow_is_valid(v)")
    db.run("INSERT INTO p_small_jsonrow_json SELECT v::json FROM p_small_jsonrow")


def fill_again(db, rng, damage):
    """What is made anew for each cycle: values nearly right, and those that are stored."""
    values = [v for v in near(rng, 400)]
    seed = rng.getrandbits(40)
    db.run("TRUNCATE p_near, p_near_json, stored_external, stored_compressed, p_documents")
    db.run("INSERT INTO p_near SELECT v::jsonb FROM unnest(%s) v", texts(values))
    db.run("INSERT INTO p_near_json SELECT v::json FROM unnest(%s) v", [as_text(v, rng) for v in values])
    stored = "CASE WHEN %s AND i %% 8 > 0 THEN fuzz_damage(v::jsonb, %s + i) ELSE v::jsonb END"
    db.run("INSERT INTO stored_external SELECT " + stored + " FROM unnest(%s) v, generate_series(0, 19) i", damage, seed, texts(large()))
    db.run("INSERT INTO stored_compressed SELECT v FROM stored_external")
    # bigint, also of a small seed: for an integer, the functions of the domains' base
    # types would be chosen, and the damage would be checked.
    db.run("""INSERT INTO p_documents
        SELECT CASE WHEN %s AND i > 0
            THEN ROW(fuzz_damage(b, n), fuzz_damage(r, n + 1), fuzz_damage(j, n + 2), fuzz_damage(t, n + 3))::documents
            ELSE ROW(b, r, j, t)::documents END
        FROM (SELECT v::jsonb b, v::jsonrow r, v::json j, v::jsonrow_json t FROM p_jsonrow) s,
            generate_series(0, 5) i, LATERAL (SELECT %s::bigint + i) _ (n)
        UNION ALL VALUES (NULL::documents)""", damage, seed)
