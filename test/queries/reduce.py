"""Simple reduction: leave away of statements and of their words what a failure does without."""
import re
import time

TOKEN = re.compile(r"""\s*(\$f\$|\$q\$|[eE]?'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|::|\|\||->>?|[<>=!]+|.)""", re.S)

# Words before a parenthesis that are no functions
NO_CALL = re.compile(r"\b(AS|IN|FROM|SELECT|WHERE|ON|FILTER|OVER|VALUES|AND|OR|BY|USING|JOIN|LATERAL|INTO"
                     r"|EXISTS|ALL|UNION|CHECK)$", re.I)


def tokens(text):
    return [m.group(1) for m in TOKEN.finditer(text.strip())]


def joined(words):
    """With blanks where they are needed, and where one would write them"""
    text = ""
    for word in words:
        tight = not text or word in (")", ",", ".", "::", ";", "]") or text[-1:] in "([." or text.endswith("::")
        call = word == "(" and re.search(r"\w$", text) and not NO_CALL.search(text)
        text += word if tight or call or word == "[" else " " + word
    return text


def tree(words):
    """Nested lists, one for each pair of parentheses"""
    stack = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            group = stack.pop()
            stack[-1].append(group)
        else:
            stack[-1].append(word)
    while len(stack) > 1:
        group = stack.pop()
        stack[-1].append(group)
    return stack[0]


def flat(units):
    for unit in units:
        if isinstance(unit, list):
            yield "("
            yield from flat(unit)
            yield ")"
        else:
            yield unit


def groups(units, path=()):
    """Paths of all lists, the outermost first"""
    yield path
    for i, unit in enumerate(units):
        if isinstance(unit, list):
            yield from groups(unit, path + (i,))


def at(units, path):
    for i in path:
        units = units[i]
    return units


def replaced(units, path, new):
    """A copy where the list at path is another one"""
    if not path:
        return new
    copy = list(units)
    copy[path[0]] = replaced(units[path[0]], path[1:], new)
    return copy


def spliced(units, path, new):
    """A copy where the list at path, with its parentheses, has become these units"""
    parent = at(units, path[:-1])
    return replaced(units, path[:-1], parent[:path[-1]] + new + parent[path[-1] + 1:])


def smaller(units):
    """Candidates, the boldest first"""
    paths = list(groups(units))
    for path in paths[1:]:
        group = at(units, path)
        if group and str(group[0]).upper() in ("SELECT", "WITH"):
            yield group
    for path in paths:
        group = at(units, path)
        size = len(group)
        sizes = sorted({s for s in (size // 2, size // 3, size // 4, 24, 16, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1)
                        if 0 < s <= size}, reverse=True)
        for s in sizes:
            for i in range(0, size - s + 1):
                yield replaced(units, path, group[:i] + group[i + s:])
    for path in paths[1:]:
        group, before = at(units, path), at(units, path[:-1])[:path[-1]]
        if before and re.fullmatch(r"\w+", str(before[-1])):
            parent = at(units, path[:-1])
            yield replaced(units, path[:-1], before[:-1] + group + parent[path[-1] + 1:])
        yield spliced(units, path, group)
        for small in (["1"], ["NULL"], ["'x'"]):
            if len(list(flat(group))) > 1:
                yield spliced(units, path, small)


class Reducer:
    """fails(setup, program, settings) tells whether that still fails as it did."""

    def __init__(self, fails, needed, seconds):
        self.fails, self.needed = fails, needed
        self.end = time.monotonic() + seconds

    def is_over(self):
        return time.monotonic() > self.end

    def reduce(self, setup, programs, settings):
        """The first of the programs that fails, the smaller ones first"""
        for program in programs:
            small = self.needed(setup, " ".join(program))
            if self.fails(small, program, settings):
                break
        else:
            return setup, programs[-1], settings
        setup = small
        settings = self.without(settings, lambda s: self.fails(setup, program, s))
        setup = self.without(setup, lambda s: self.fails(s, program, settings))
        program = self.without(program, lambda p: self.fails(setup, p, settings))
        for i in range(len(program)):
            program = self.shorter(program, i, lambda p: self.fails(setup, p, settings))
        fewer = self.needed(setup, " ".join(program))
        setup = fewer if self.fails(fewer, program, settings) else setup
        setup = self.without(setup, lambda s: self.fails(s, program, settings))
        for i in reversed(range(len(setup))):
            name = setup[i][0]
            texts = self.shorter([s for _, s in setup], i, lambda t: self.fails([(name, s) for s in t], program,
                settings))
            setup = [(n, t) for (n, _), t in zip(setup, texts)]
        return setup, program, settings

    def without(self, parts, fails):
        """Leave away halves, quarters, ... single ones, from the end."""
        parts = list(parts)
        size = max(len(parts) // 2, 1)
        while parts and not self.is_over():
            i = len(parts)
            while i > 0 and not self.is_over():
                fewer = parts[:max(i - size, 0)] + parts[i:]
                if len(fewer) < len(parts) and fails(fewer):
                    parts = fewer
                i -= size
            if size == 1:
                break
            size //= 2
        return parts

    def shorter(self, texts, i, fails):
        """Leave away words of the i-th text."""
        if texts[i].startswith("@"):
            return texts
        units = tree(tokens(texts[i]))
        found = True
        tried = set()
        while found and not self.is_over():
            found = False
            for candidate in smaller(units):
                if self.is_over():
                    break
                text = joined(flat(candidate))
                if text in tried:
                    continue
                tried.add(text)
                if fails(texts[:i] + [text] + texts[i + 1:]):
                    texts = texts[:i] + [text] + texts[i + 1:]
                    units, found = candidate, True
                    break
        return texts
