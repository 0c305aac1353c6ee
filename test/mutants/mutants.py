"""Small changes to C source text, each of which some test should notice.

No C parser: comments and strings are blanked out, and what is left is searched
with regular expressions.  What does not compile is sorted out by the compiler.
"""
import dataclasses
import os
import random
import re

# Statements whose loss no test can see: a leak within a query, an answer to
# cancel that comes a little later, advice to the kernel.
INVISIBLE = re.compile(r"\b(Assert|StaticAssert\w*|CHECK_FOR_INTERRUPTS|pfree|ReleaseSysCache|"
                       r"ReleaseTupleDesc|MemoryContextDelete|madvise|pg_unreachable|"
                       r"PG_RETURN_NULL|PG_FREE_IF_COPY|PG_FUNCTION_INFO_V1)\s*\(")
DECLARATION = re.compile(r"^\s*(?:(?:static|const|struct|union|enum|unsigned|signed|volatile|extern)\s+)*"
                         r"[A-Za-z_]\w*\s+\**\s*\w+\s*(?:\[[^\]]*\]\s*)*(?:=(?!=)|;|,)")
PROTOTYPE = re.compile(r"^(?:extern|typedef|pg_noreturn|pg_noinline)\b|^\w[\w\s*]*\([^;{]*\);")
KEYWORDS = ("return", "break", "goto", "case", "default", "else", "typedef", "extern", "static")

# Operator classes: (name, pattern, replacements).  A pattern's first group is
# what is replaced.
SWAPS = [
    ("comparison", r"(?<=\s)(<=|>=|<|>)(?=\s)", {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"]}),
    ("equality", r"(?<=\s)(==|!=)(?=\s)", {"==": ["!="], "!=": ["=="]}),
    ("logic", r"(?<=\s)(&&|\|\|)(?=\s)", {"&&": ["||"], "||": ["&&"]}),
    ("arithmetic", r"(?<=[\w)\]] )([-+*/%])(?= [\w(])",
     {"+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["+"]}),
    ("bits", r"(?<=\s)(<<|>>|&|\|)(?=\s)", {"<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"]}),
    ("assignment", r"(?<=\s)(\+=|-=|\|=|&=)(?=\s)", {"+=": ["-="], "-=": ["+="], "|=": ["="], "&=": ["="]}),
    ("step", r"(\+\+|--)", {"++": ["--"], "--": ["++"]}),
    ("boolean", r"\b(true|false)\b", {"true": ["false"], "false": ["true"]}),
]


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str
    line: int       # from 1
    kind: str
    old: str        # the line as it is
    new: str        # and as it becomes
    function: str   # in which it is, if in any

    def key(self):
        """Names it as long as the line stays as it is, wherever it moves."""
        return "%s %s: %s -> %s" % (os.path.basename(self.path), self.function, squeeze(self.old), squeeze(self.new))


def squeeze(text):
    return " ".join(text.split())


def blank(text):
    """The text with comments, strings and characters blanked out; lines stay."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group())

    def hollow(match):
        return match.group()[0] + re.sub(r"[^\n]", " ", match.group()[1:-1]) + match.group()[-1]

    pattern = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
    return pattern.sub(lambda m: spaces(m) if m.group()[0] == "/" else hollow(m), text)


def closing(text, start):
    """Where the parenthesis that opens at start is closed; None if not in text."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return None


def conditions(code, line):
    """if (...) and while (...) negated; one side of a ternary."""
    for match in re.finditer(r"\b(?:if|while) (\()", code):
        end = closing(code, match.start(1))
        if end is not None:
            yield line[:match.start(1)] + "(!" + line[match.start(1):end + 1] + ")" + line[end + 1:]
    match = re.search(r"(\breturn |= )([^=?;]+) \? ([^?:;]+) : ([^?:;]+);", code)
    if match:
        for side in (3, 4):
            yield line[:match.start(2)] + line[match.start(side):match.end(side)] + line[match.end(4):]


def constants(code, line):
    """Numbers one too large; an upper-case name replaced by its neighbour of the same prefix."""
    for match in re.finditer(r"(?<![\w.'\"])(\d+)(?![\w.])", code):
        yield line[:match.start()] + str(int(match.group()) + 1) + line[match.end():]


def arguments(code, line):
    """Two neighbouring arguments that are plain names, swapped."""
    for match in re.finditer(r"\(([^()]*)\)", code):
        if not re.search(r"\w$", code[:match.start()]):
            continue
        for pair in re.finditer(r"(?<![^(, ])(&?[a-z_]\w*(?:(?:\.|->)\w+)*), (&?[a-z_]\w*(?:(?:\.|->)\w+)*)(?=[,)])",
                                match.group(0)):
            at = match.start()
            if pair.group(1) != pair.group(2):
                yield line[:at + pair.start()] + pair.group(2) + ", " + pair.group(1) + line[at + pair.end():]


def dropped(code, line, before):
    """A statement of one line that is not there."""
    text = code.strip()
    if (not text.endswith(";") or text.count("(") != text.count(")") or "{" in text or "}" in text
            or not re.match(r"[A-Za-z_*(]", text) or re.match(r"\w*", text).group() in KEYWORDS
            or DECLARATION.match(code) or not code.startswith("\t")):
        return
    if before and before[-1] not in ";{}):" and not before.endswith("else"):
        return                  # the rest of a longer statement
    yield line[:len(line) - len(line.lstrip())] + ";"


class Source:
    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path)) as file:
            text = file.read()
        self.lines = text.split("\n")
        self.code = blank(text).split("\n")
        self.names = sorted(set(re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b", "\n".join(self.code))))

    def mutants(self):
        depth = 0               # of the parentheses of a statement to be left alone
        before = ""
        function = ""
        for i, (line, code) in enumerate(zip(self.lines, self.code)):
            text = code.strip()
            head = re.match(r"(\w+)\(", code)
            function = head.group(1) if head else "" if code.startswith("}") else function
            following = next((c.strip() for c in self.code[i + 1:] if c.strip()), "")
            if depth > 0 or INVISIBLE.search(code) or re.search(r"\b(ereport|elog)\s*\(", code):
                # Errors' texts are not tested this way, but that they are raised is.
                depth = max(0, depth + code.count("(") - code.count(")"))
            elif (text and not text.startswith("#") and not PROTOTYPE.match(code)
                  and not following.startswith("CHECK_FOR_INTERRUPTS")):
                for kind, new in self.of_line(code, line, before):
                    yield Mutant(self.path, i + 1, kind, line, new, function)
            if text:
                before = text

    def of_line(self, code, line, before):
        for kind, pattern, replacements in SWAPS:
            for match in re.finditer(pattern, code):
                for new in replacements[match.group(1)]:
                    yield kind, line[:match.start(1)] + new + line[match.end(1):]
        for new in conditions(code, line):
            yield "condition", new
        for new in constants(code, line):
            yield "number", new
        for match in re.finditer(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b(?! *\()", code):
            other = self.neighbour(match.group())
            if other and not text_is_label(code):
                yield "constant", line[:match.start()] + other + line[match.end():]
        for new in arguments(code, line):
            yield "arguments", new
        for new in dropped(code, line, before):
            yield "dropped", new

    def neighbour(self, name):
        """The file's next constant with the same first word."""
        prefix = name.split("_")[0] + "_"
        family = [n for n in self.names if n.startswith(prefix)]
        return family[(family.index(name) + 1) % len(family)] if len(family) > 1 else None


def text_is_label(code):
    return re.match(r"\s*case\b", code) is not None


def spread(groups):
    """The members of all groups in one list, each group evenly over its length."""
    ranked = [((k + 0.5) / len(group), n, member) for n, group in enumerate(groups) for k, member in enumerate(group)]
    return [member for _, _, member in sorted(ranked, key=lambda r: r[:2])]


def generate(root, paths, seed):
    """All mutants of the files, in an order that the seed decides: the first n
    of them are of all files in proportion, and of all kinds."""
    files = []
    for path in sorted(paths):
        generator = random.Random("%s %s" % (seed, os.path.basename(path)))
        kinds = {}
        for mutant in Source(root, path).mutants():
            kinds.setdefault(mutant.kind, []).append(mutant)
        for kind in sorted(kinds):
            generator.shuffle(kinds[kind])
        order = sorted(kinds)
        generator.shuffle(order)
        # In turn one of each kind, so that many numbers do not crowd out the rest.
        turns = [kinds[k][i] for i in range(max(map(len, kinds.values()), default=0))
                 for k in order if i < len(kinds[k])]
        if turns:
            files.append(turns)
    random.Random(seed).shuffle(files)
    return spread(files)
