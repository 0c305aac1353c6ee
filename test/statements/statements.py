#!/usr/bin/python3
"""Statements as tools send them: what is asked for, a Level with others below it, written in each tool's way.

The ways are in tools.txt.  As a program it prints, for test/pgtap/statements.psql, what every tool makes
of QUERIES: the tool, what it is, the statement, and its parameters, as COPY reads them.
"""
import os
import re

HOLE = re.compile(r"( ?)\{([a-z][a-z ]*)\}")
LISTS = {"fields": "field", "columns": "column", "children": "child", "sorts": "sort"}
MOST_FIELDS = 50	# of one object


class Unsupported(Exception):
    """The tool has no way to write that."""


class Empty(Exception):
    """Something in a piece is not there."""


class Level:
    """Rows of a table, what is shown of them, and the levels below, by the names of their collections.

    on is a column that this level has in common with the one above; through is a table between these two, and what
    this level's unique column is called there.  Whoever has other relations gives texts for what would stand in holes:
    the source in FROM, the row's alias, a condition; columns and what is sorted by are then (name, text), with a
    direction.  A level may have a tool of its own; or it is a query, given as (text, name of its column).
    """

    def __init__(self, table=None, columns=(), on=None, through=None, one=False, order="", limit=None, offset=None,
                 unique=None, below=(), tool=None, query=None, **given):
        self.columns = [(c, None) if isinstance(c, str) else c for c in (
            columns.split() if isinstance(columns, str) else columns)]
        self.sorts = [(s.split()[0], None, s[len(s.split()[0]):]) for s in order.split(", ") if s] if isinstance(
            order, str) else list(order)
        link, far = through or (None, None)
        self.holes = {"table": table, "ref": on, "key": on, "link": link, "far": far, "limit": limit, "row": None,
                      "unique": unique or "%s_id" % table, **given}
        if limit is not None:
            self.holes["offset"] = offset or 0
        self.kind, self.tool, self.query = "one" if one else "array", tool, query
        self.below = list(below.items()) if isinstance(below, dict) else below
        self.parent = None
        self.name = "root"
        self.fields_of_object = MOST_FIELDS


class Item:
    """What is in a list: a column, a collection, or what is sorted by"""

    def __init__(self, name, value, number, direction="", is_child=False):
        self.is_child = is_child
        self.holes = {"name": quoted(name), "literal": "'%s'" % name.replace("'", "''"), "value": value,
                      "column": quoted(name), "plain": name, "i": str(number), "direction": direction,
                      "direction or asc": direction or " ASC", "nulls": "NULLS FIRST" if direction else "NULLS LAST"}


def quoted(name):
    return '"%s"' % name.replace('"', '""')


class Tool:
    def __init__(self, name, pieces):
        self.name, self.pieces = name, pieces

    def has(self, piece):
        return any(self.pieces.get(piece, ()))

    @property
    def takes_queries(self):
        """A collection is a query, not a join."""
        return any("{child}" in text for piece in self.pieces.values() for text in piece)

    def uses(self, kind, hole):
        """Is there that hole, in a query of this kind?"""
        seen, names = set(), [kind]
        while names:
            name = names.pop()
            if name == hole:
                return True
            seen.add(name)
            found = [h for p in (kind + " " + name, name, "no " + name) for text in self.pieces.get(p, ())
                     for _, h in HOLE.findall(text)]
            names += [n for n in found if n not in seen]
        return False

    @property
    def sends_rows(self):
        """The outermost rows are sent as rows, not as a collection."""
        text = self.pieces["outermost"][0].replace("{query}", self.pieces.get("query", [""])[0])
        return text.lower().startswith("select {fields}")


class Writer:
    """Writes one statement.  choose picks one of a piece's alternatives; parameters, a list, is given the values of
    limits, which the statement then has as parameters."""

    def __init__(self, choose=None, parameters=None):
        self.choose = choose or (lambda alternatives: alternatives[0])
        self.parameters = parameters
        self.made = {}

    def write(self, tool, level, kind="outermost"):
        level.kind = kind
        self.number(level, tool, 0)
        return self.query(tool, level)

    def number(self, level, tool, n):
        """Numbers all levels and tells them who is above."""
        level.n, level.written_by = n, level.tool or tool
        for name, child in level.below:
            child.parent, child.name = level, name
            n = self.number(child, level.written_by, n + 1)
        return n

    def query(self, tool, level):
        if level.query:
            return level.query[0]
        kind = "outermost" if level.kind == "array" and not tool.has("array") else level.kind
        if not tool.has(kind) or level.holes["limit"] is not None and not tool.uses(kind, "limit"):
            raise Unsupported(kind)
        return self.fill(tool, level, kind)

    def piece(self, tool, level, name, item=None):
        """Its text: that of the kind of level or item, if there is one"""
        names = [level.kind + " " + name, name]
        if item and item.is_child:
            names = [level.kind + " child " + name, level.kind + " " + name, "child " + name, name]
        if level.holes["link"] and name in ("source", "tie"):
            names = ["linked " + name]
        for candidate in names:
            if candidate in tool.pieces:
                return self.choose(tool.pieces[candidate])
        raise Unsupported(name)

    def fill(self, tool, level, name, item=None, **more):
        def hole(match):
            text = self.hole(tool, level, match.group(2), item, more)
            return match.group(1) + text if text else ""
        try:
            return HOLE.sub(hole, self.piece(tool, level, name, item))
        except Empty:
            if any(p + "no " + name in tool.pieces for p in ("", level.kind + " ")):
                return self.fill(tool, level, "no " + name, item, **more)
            return ""

    def hole(self, tool, level, name, item, more):
        """What stands in it"""
        first, *rest = name.split(" ")
        if name in more:
            return more[name]
        if item and name in item.holes:
            return item.holes[name]
        if level.holes.get(name) is not None:
            return self.limit(level, name) if name in ("limit", "offset") else level.holes[name]
        if first in LISTS:
            return self.listed(tool, level, first, " ".join([LISTS[first]] + rest))
        if name in ("condition", "unique value"):
            return getattr(self, name.replace(" ", "_"))(tool, level)
        if name in ("limit", "offset"):
            raise Empty
        names = {"n": lambda: str(level.n), "label": lambda: level.name[:20].replace('"', '""'),
                 "name": lambda: quoted(level.name), "parent": lambda: self.row(level.parent),
                 "above": lambda: level.parent.holes["table"] or level.parent.name[:20].replace('"', '""'),
                 "joins": lambda: " ".join(join for _, join in self.children(tool, level) if join),
                 "objects": lambda: self.objects(tool, level)}
        return names[name]() if name in names else self.fill(tool, level, name)

    def row(self, level):
        return level.holes["row"] or self.fill(level.written_by, level, "row")

    def cell(self, tool, level, column):
        if "cell" in tool.pieces:
            return self.fill(tool, level, "cell", column=column)
        return '%s."%s"' % (self.row(level), column)

    def condition(self, tool, level):
        if not level.holes["ref"] or not level.parent:
            raise Empty
        return self.fill(tool, level, "tie")

    def unique_value(self, tool, level):
        return self.cell(tool, level, level.holes["unique"])

    def limit(self, level, name):
        if self.parameters is None:
            return str(level.holes[name])
        key = id(level), name
        if key not in self.made:
            self.parameters.append(level.holes[name])
            self.made[key] = "$%d" % len(self.parameters)
        return self.made[key]

    def items(self, tool, level):
        """The columns, and the collections"""
        columns = [Item(name, value or self.cell(tool, level, name), i)
                   for i, (name, value) in enumerate(level.columns)]
        return columns + [Item(name, value, i, is_child=True) for i, ((name, _), (value, _)) in enumerate(
            zip(level.below, self.children(tool, level)), len(columns))]

    def listed(self, tool, level, what, piece):
        if what == "sorts":
            items = [Item(name, value or self.cell(tool, level, name), i, direction)
                     for i, (name, value, direction) in enumerate(level.sorts)]
        else:
            items = [i for i in self.items(tool, level)
                     if what == "fields" or i.is_child == (what == "children")]
            piece = re.sub("^(column|child)", "field", piece)
        if not items:
            raise Empty
        return ", ".join(self.fill(tool, level, piece, item) for item in items)

    def objects(self, tool, level):
        fields = [self.fill(tool, level, "field", item) for item in self.items(tool, level)]
        most = level.fields_of_object
        return " || ".join(self.fill(tool, level, "object", fields=", ".join(fields[i:i + most]))
                           for i in range(0, len(fields), most))

    def children(self, tool, level):
        """(what is shown, what is joined) of each level below"""
        if id(level) not in self.made:
            self.made[id(level)] = [self.child(tool, child) for _, child in level.below]
        return self.made[id(level)]

    def child(self, tool, child):
        """Its query is written in its own tool's way, which may be another, and it is attached in that of the tool
        above."""
        own, is_query = child.written_by, tool.takes_queries
        if not tool.has("value") or child.kind == "one" and not tool.has("one"):
            raise Unsupported(child.kind)
        if not is_query and (child.below or child.query or child.holes["limit"] is not None):
            raise Unsupported("more than a join")
        texts = {"child": self.query(own, child)} if is_query else {}
        if child.query:
            texts["result"] = quoted(child.query[1])
        elif own.has("result") or own.has(child.kind + " result"):
            texts["result"] = self.fill(own, child, "result")
        return (self.fill(tool, child, "value", **texts),
                self.fill(tool, child, "join", **texts) if tool.has("join") else "")


def read_tools(path=os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.txt")):
    """{name: Tool}"""
    tools, pieces = {}, None
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    for line in re.sub(r"\n\t+", r"\n\t", text).replace("\n\t", "\0").split("\n"):
        heading = re.fullmatch(r"== (.+?)(?: as (.+))?", line)
        if heading:
            name, base = heading.groups()
            inherited = dict(tools[base].pieces) if base else {}
            pieces, own = inherited, set()
            tools[name] = Tool(name, pieces)
        elif line:
            piece, _, text = line.partition(":")
            if piece not in own:
                own.add(piece)
                pieces[piece] = []
            pieces[piece].append(text.strip().replace("\0", "\n  "))
    return tools


TOOLS = read_tools()


def awards(columns="year prize money", **more):
    return Level("award", columns, on="actor_id", **more)


def parts():
    """The actors of films, with their awards"""
    actor = Level("actor", "last_name links", on="actor_id", one=True, below={"awards": awards("year", order="year")})
    return Level("film_actor", "part", on="film_id", unique="actor_id", order="actor_id", below={"actor": actor})


# What each tool is asked for by test/pgtap, over the tables of statements.psql
QUERIES = {
    "rows of a table": lambda: Level("film", "film_id title rate raw extra features", order="film_id"),
    "one to many": lambda: Level("actor", "actor_id last_name born", order="actor_id",
                                 below={"awards": awards(order="year DESC")}),
    "one to many, a page": lambda: Level("actor", "actor_id last_name", order="born DESC, actor_id", limit=12,
                                         below={"awards": awards(order="year DESC")}),
    "one to many, a page of each": lambda: Level("actor", "actor_id last_name", order="actor_id",
                                                 below={"awards": awards(order="year DESC", limit=2)}),
    "to one": lambda: Level("film", "title raw", order="film_id", below={
        "language": Level("language", "name language_id", on="language_id", one=True)}),
    "many to many, three levels": lambda: Level("film", "film_id title extra", order="film_id", below={
        "actors": Level("actor", "first_name net links", on="film_id", through=("film_actor", "actor_id"),
                        order="last_name", below={"awards": awards("year prize", order="year")})}),
    "three levels, to one between them": lambda: Level("film", "film_id title", order="film_id",
                                                       below={"parts": parts()}),
}


def main():
    for what, level in QUERIES.items():
        for tool in TOOLS.values():
            parameters = []
            if tool.sends_rows and not level().below:
                continue	# without JSON
            try:
                statement = Writer(parameters=parameters).write(tool, level())
            except Unsupported:
                continue
            print("\t".join(text.replace("\\", "\\\\").replace("\n", "\\n") for text in (
                tool.name, what, statement, ", ".join(str(p) for p in parameters))))


if __name__ == "__main__":
    main()
