#!/usr/bin/env python3
"""Adds to each query of PostgreSQL's tests some others, which return its rows as JSON.

    as_json.py VERSION FILE.sql ...

The files are altered in place.  Which shapes a query gets depends on its
place in the file, so that all shapes meet all kinds of queries.
"""
import os
import re
import sys

# {q} is the query, which may end in a comment; {x} is the query with row numbers.
SHAPES = """
SELECT json_agg(q) FROM ({q}) q
SELECT jsonb_agg(q), json_agg(to_jsonb(q)) FROM ({q}) q
SELECT json_agg(q)::jsonb FROM ({q}) q
SELECT json_agg(row_to_json(q)), json_agg(to_json(q)) FROM ({q}) q
SELECT coalesce(jsonb_agg(to_jsonb(q)), '[]') FROM ({q}) q
SELECT coalesce(json_agg(j), '[]') FROM (SELECT row_to_json((SELECT e FROM (SELECT q.*) e)) AS j FROM ({q}) q) r
SELECT json_agg(json_build_array(q, 1, NULL)), jsonb_agg(jsonb_build_array('x', q)) FROM ({q}) q
SELECT jsonb_agg(jsonb_build_object('a', q, 'b', 2, 'a', 3) || to_jsonb(q)) FROM ({q}) q
SELECT row_to_json(q), to_json(q), to_jsonb(q), row_to_json(q, true) FROM ({q}) q
SELECT json_object_agg(n, q), jsonb_object_agg(n, q), array_to_json(array_agg(q), true) FROM ({x}) q
SELECT v, x.j FROM (VALUES (1), (2)) v LEFT JOIN LATERAL (SELECT json_agg(q)::jsonb AS j FROM ({q}) q) x ON true
SELECT json_agg(q), jsonb_agg(v), json_agg(row_to_json(q))::jsonb \
FROM (VALUES (1), (2)) v (n) LEFT JOIN ({q}) q ON n = 1
SELECT jsonb_agg(j ORDER BY n) FILTER (WHERE n % 2 = 0), json_agg(r ORDER BY n DESC) FROM \
(SELECT n, jsonb_build_object('q', q, 'n', n) j, json_build_object('n', n, 'q', to_json(q))::jsonb r \
FROM ({x}) q ORDER BY n LIMIT 50) z
SELECT jsonb_agg(j) FROM (SELECT j FROM (SELECT n, jsonb_build_object('r', q, 'n', n) AS j \
FROM ({x}) q) y ORDER BY n LIMIT 20) z
SELECT jsonrow_agg(q), jsonrow_agg_json(q), jsoncol_agg(q), jsonrow_objects_agg(q), \
jsonrow_objects_agg_json(q) FROM ({q}) q
SELECT jsonb_build_object('rows', (SELECT coalesce(json_agg(q), '[]') FROM ({q}) q), 'n', 1)
SELECT json_agg(q ORDER BY q::text), jsonb_agg(DISTINCT q::text) FROM ({q}) q
SELECT ARRAY(SELECT jsonb_build_object('q', q) FROM ({q}) q), (SELECT to_json(array_agg(q)) FROM ({q}) q)
SELECT json_agg(a)::jsonb FROM (SELECT n % 3, json_agg(q)::jsonb, jsonb_agg(q) FROM ({x}) q GROUP BY 1 ORDER BY 1) a
WITH q AS MATERIALIZED ({q}) SELECT json_agg(q), (SELECT jsonb_agg(p) FROM q p) FROM q
""".replace("\\\n", "").strip().split("\n")
SHAPES_16 = """
SELECT JSON_ARRAYAGG(q), JSON_ARRAYAGG(q ABSENT ON NULL RETURNING jsonb) FROM ({q}) q
SELECT JSON_OBJECT('a': q, 'b': JSON_ARRAY(q, 1 NULL ON NULL)) FROM ({q}) q
SELECT JSON_ARRAYAGG(JSON_OBJECT('a': q RETURNING jsonb) RETURNING jsonb), JSON_OBJECTAGG('k' || n : q) FROM ({x}) q
SELECT json_agg_strict(q), jsonb_agg_strict(q) FROM ({q}) q
""".strip().split("\n")
# {t} is a table, {rest} what comes after FROM.  Sorted, for where only columns are
# wanted, and no whole rows, there may be another plan, such as of an index alone.
TABLE = """
SELECT json_agg({t} ORDER BY {t}::text), jsonb_agg(to_jsonb({t}) ORDER BY {t}::text DESC), \
json_agg(row_to_json({t}) ORDER BY {t}::text) FROM {rest}
SELECT jsonb_agg(w ORDER BY w::text) FROM (SELECT to_jsonb({t}) w FROM {rest}) z
SELECT to_json({t}), row_to_json({t}), to_jsonb({t}) FROM {rest} ORDER BY {t}::text
""".replace("\\\n", "").strip().split("\n")

# Errors are to end transactions; OIDs; whether an error is a worker's; text with a zero
# byte, which no input function lets in, and where text ends for PostgreSQL, but not for us.
LEFT_ALONE = "prepared_xacts.sql", "largeobject.sql", "select_parallel.sql", "encoding.sql"

# Where it cannot be converted, PostgreSQL gives sometimes NULL, sometimes text.  And up to 15,
# xml_is_well_formed leaves the context of errors as the current one: the next error frees results.
UNSTABLE = re.compile(r"JSON_VALUE\s*\(.*\bRETURNING\s+jsonb?\b|\bxml_is_well_formed", re.I | re.S)

TOKEN = re.compile(r"""
    (?P<comment>--[^\n]*)
  | (?P<quoted>[eE]'(?:[^'\\]|\\.|'')*' | '(?:[^']|'')*' | "(?:[^"]|"")*")
  | (?P<dollar>\$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$)
  | (?P<long>/\*.*?\*/)
  | (?P<meta>\\[^\n]*)
  | (?P<semicolon>;)
  | (?P<word>\w+)
  | (?P<other>.)""", re.X | re.S)
COPY_DATA = re.compile(r".*?^\\\.$\n?", re.S | re.M)


def statements(text):
    """Yields each statement with what is before it, and its words if it is whole and the only one."""
    at = begin = 0
    words, depth, plain = [], 0, True
    while at < len(text):
        match = TOKEN.match(text, at)
        at = match.end()
        kind = match.lastgroup if match.lastgroup != "tag" else "dollar"
        if kind == "word":
            words.append(match.group().lower())
            if words[-2:] == ["begin", "atomic"]:
                depth += 1
            elif depth and words[-1] == "case":
                depth += 1
            elif depth and words[-1] == "end":
                depth -= 1
        elif kind == "meta":
            if not words:
                yield text[begin:at], None
                begin = at
            else:
                plain = False
                if re.match(r"\\(g|crosstabview|watch|bind)", match.group()):
                    yield text[begin:at], None
                    begin, words, plain, depth = at, [], True, 0
        elif kind == "semicolon" and not depth:
            if words[:1] == ["copy"] and re.search(r"\bfrom\s+stdin\b", text[begin:at], re.I):
                data = COPY_DATA.match(text, at)
                at = data.end() if data else at
                plain = False
            # Not of two that psql sends as one, "select 1 \; select 2;"
            yield text[begin:at], words if plain else None
            begin, words, plain = at, [], True
    yield text[begin:], None


def strip_head(statement):
    """Without the comments and empty lines before it"""
    return re.sub(r"\A(?:\s+|--[^\n]*\n|/\*.*?\*/)*", "", statement, flags=re.S)


def more_queries(statement, words, shapes, number):
    if not words or words[0] not in ("select", "values", "with", "table") or "into" in words:
        return
    if words[0] == "with" and {"insert", "update", "delete", "merge"} & set(words):
        return
    query = strip_head(statement)[:-1] + "\n"
    if UNSTABLE.search(query):
        return
    parts = {"q": query, "x": "SELECT row_number() OVER () AS n, x.* FROM (%s) x" % query}
    for k in range(2):
        yield shapes[(2 * number + k) % len(shapes)].format(**parts)
    table = re.match(r"select\s+\*\s+from\s+(only\s+)?(?P<table>[\w.]+)(\s+(as\s+)?"
                     r"(?!where|order|limit|group|join|left|cross|natural|offset|for|tablesample|union)"
                     r"(?P<alias>\w+))?"
                     r"(?=\s|;|$)", query, re.I)
    if table:
        name = table.group("alias") or table.group("table").split(".")[-1]
        rest = re.sub(r"\Aselect\s+\*\s+from\s+|\border\s+by\b[^()]*\Z", "", query, flags=re.I)
        yield TABLE[number % len(TABLE)].format(t=name, rest=rest)


def main():
    shapes = SHAPES + (SHAPES_16 if int(sys.argv[1]) >= 16 else [])
    for path in sys.argv[2:]:
        if os.path.basename(path) in LEFT_ALONE:
            continue
        with open(path, encoding="latin-1", newline="") as file:
            text = file.read()
        out, number = ["\\set ON_ERROR_ROLLBACK on\n"], 0
        for statement, words in statements(text):
            out.append(statement)
            more = ["\n%s\n;" % q.rstrip() for q in more_queries(statement, words, shapes, number)]
            out += more
            number += bool(more)
        with open(path, "w", encoding="latin-1", newline="") as file:
            file.write("".join(out))


if __name__ == "__main__":
    main()
