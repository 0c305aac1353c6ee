"""A figure that remembers the rounds it comes from."""
import operator
import statistics

FEW = 5             # of fewer rounds the spread is from the least to the greatest
WIDE = 0.25         # a figure with a greater spread is marked


class Measured(float):
    """
    The median of some rounds.  Calculated with, it stays one: contenders took
    turns, so that a ratio is the median of the rounds' own ratios, and what
    disturbed a whole round leaves it alone.
    """

    def __new__(cls, rounds):
        self = super().__new__(cls, statistics.median(rounds))
        self.rounds = [float(one) for one in rounds]
        return self

    def limits(self):
        """Between which the middle half of the rounds lies, or all of them if they are few"""
        if len(self.rounds) < FEW:
            return min(self.rounds), max(self.rounds)
        low, _, high = statistics.quantiles(self.rounds, n=4, method='inclusive')
        return low, high

    def spread(self):
        low, high = self.limits()
        return (high - low) / abs(self) if self else 0.0

    def error(self):
        """About how far off the median itself may be"""
        return self.spread() / len(self.rounds) ** 0.5

    def combined(self, other, operation):
        """Round by round; with figures of other rounds, each round of one with the other's median."""
        theirs = getattr(other, 'rounds', None)
        if not theirs:
            return Measured([operation(one, other) for one in self.rounds])
        if len(theirs) == len(self.rounds):
            return Measured(list(map(operation, self.rounds, theirs)))
        return Measured([operation(one, float(other)) for one in self.rounds] + [operation(float(self), one) for one in theirs])

    def __add__(self, other):
        return self.combined(other, operator.add)

    def __sub__(self, other):
        return self.combined(other, operator.sub)

    def __mul__(self, other):
        return self.combined(other, operator.mul)

    def __truediv__(self, other):
        return self.combined(other, operator.truediv)

    def __radd__(self, other):
        return self.combined(other, lambda one, left: left + one)

    def __rsub__(self, other):
        return self.combined(other, lambda one, left: left - one)

    def __rtruediv__(self, other):
        return self.combined(other, lambda one, left: left / one)

    __rmul__ = __mul__


def is_wide(value):
    return isinstance(value, Measured) and value.spread() > WIDE


def limits(value):
    return value.limits() if isinstance(value, Measured) else (value, value)


def to_json(data):
    """What json can write, and from_json reads"""
    if isinstance(data, Measured):
        return {'rounds': data.rounds}
    if isinstance(data, dict):
        return {key: to_json(value) for key, value in data.items()}
    return [to_json(value) for value in data] if isinstance(data, (list, tuple)) else data


def from_json(data):
    if isinstance(data, dict):
        return Measured(data['rounds']) if list(data) == ['rounds'] else {key: from_json(value) for key, value in data.items()}
    return [from_json(value) for value in data] if isinstance(data, list) else data
