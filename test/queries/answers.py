"""What a program answered, and how two answers differ.

An answer is a list of tuples: what each statement gave, up to the first error, and the notices.  Two
kinds of these are compared by themselves, for another plan calls functions in another order and as
often as it likes: what leaky functions were shown (see leaks.py), and what was said while planning.
"""
import re

import reduce

# A timeout says nothing, for one of two runs may just have been faster.
TIMEOUT = "57014"

LEAK = "a leak"
FOLDED = "more notices from planning"
ORDER, RESULT = "another order", "another result"
APART = ("leaked", "folded")


class Notices:
    """All that a connection receives; of a list, psycopg2 keeps the last fifty."""

    def __init__(self):
        self.lines = []

    def append(self, line):
        self.lines.append(line)

    def clear(self):
        self.lines.clear()

    def entries(self, is_single):
        """The end of an answer"""
        leaked = {n.strip() for n in self.lines if "leaked" in n and "leaked <NULL>" not in n}
        # Several statements may be planned as often as the plan cache sees fit.
        folded = sum("folded" in n for n in self.lines) if is_single else 0
        return [("notices", sorted(n for n in self.lines if "noisy" in n)), ("leaked", leaked), ("folded", folded)]


def error_of(answer):
    return next((r for r in answer if r[0] == "error"), None)


def compared(answer):
    """What must be the same to the byte"""
    return [r for r in answer if r[0] not in APART]


def apart(answer, name):
    return next(r[1] for r in answer if r[0] == name)


def words_of(answer):
    return sorted(re.findall(r"[^\s,\[\](){}]+", str(answer)))


def difference(off, on):
    """A word for how the answers differ, or None."""
    wrong, right = error_of(on), error_of(off)
    if TIMEOUT in (wrong and wrong[1], right and right[1]):
        return None
    if compared(off) == compared(on):
        return None if right else more_said(off, on)
    if wrong and right and wrong != right:
        return "another error" if wrong[1:3] != right[1:3] else "another detail"
    # One of several statements may fail, or the next.
    if wrong and (not right or len(on) < len(off)):
        return "an error %s that was none" % wrong[1]
    if right and (not wrong or len(on) > len(off)):
        return "no error %s any more" % right[1]
    return ORDER if words_of(compared(off)) == words_of(compared(on)) else RESULT


def more_said(off, on):
    """Nothing may be shown to a function that was not shown before, and planning may not say more.  (Where
    an error ends the query, what was shown until then depends on the plan.)"""
    if apart(on, "leaked") - apart(off, "leaked"):
        return LEAK
    return FOLDED if apart(on, "folded") > apart(off, "folded") else None


def orders_of(text):
    """Their words"""
    return set(re.findall(r"ORDER BY ((?:[^()]|\(\w*\)|\(SELECT \d+\))*)", text))


def unordered(units, before=""):
    """How many subqueries of FROM and of WITH have no order, of what reduce.tree gives"""
    found = 0
    for unit in units:
        if isinstance(unit, list):
            is_source = before.upper() in ("FROM", "JOIN", ",", "AS", "MATERIALIZED") and unit[:1] == ["SELECT"]
            found += (is_source and "ORDER" not in unit and "FROM" in unit) + unordered(unit)
        else:
            before = unit
    return found


def keeps_orders(programs, smaller):
    """Would a smaller program still show an order that was asked for in one of these?  Orders are left away with
    what they are in, or stay as they are, for what remains of one might leave ties."""
    words = [reduce.tokens(" ".join(p)) for p in programs + [smaller]]
    orders = [orders_of(reduce.joined(w)) for w in words]
    missing = [unordered(reduce.tree(w)) for w in words]
    return orders[-1] <= set().union(*orders[:-1]) and missing[-1] <= max(missing[:-1])


def is_as_well(kind, on, others):
    """Does this come without the settings, too, if only the plan is another one?  Then PostgreSQL promises
    nothing.  The first of the others is the answer without the settings."""
    if kind == LEAK:
        return apart(on, "leaked") <= set().union(*(apart(a, "leaked") for a in others))
    if kind in (ORDER, RESULT):
        return any(compared(a) != compared(others[0]) for a in others[1:])
    if kind.startswith("an error"):
        return any(len(a) <= len(on) and error_of(a) and error_of(a)[1:3] == error_of(on)[1:3] for a in others)
    if kind.startswith("no error"):
        return any(compared(a) == compared(on) for a in others)
    return False
