"""Charts that read without the text: lines over sizes, bars of ratios."""
import re

from matplotlib.figure import Figure

OURS = '#c0392b'
OTHERS = ['#2c3e50', '#7f8c8d', '#2980b9', '#27ae60', '#8e44ad', '#d68910', '#16a085']


def ours(name):
    return re.search('(^|: |, )(jsonrow|jsoncol)', name) is not None


def colors(names):
    """Ours in red, whichever it is; the others in the order given."""
    others = iter(OTHERS * 3)
    return {name: OURS if ours(name) else next(others) for name in names}


def styles(names):
    """Several of ours are told apart by their dashes."""
    dashes = iter(['-', '--', ':', '-.'] * 3)
    return {name: next(dashes) if ours(name) else '-' for name in names}


def lines(title, xlabel, ylabel, series, log=True):
    """series: {name: [(x, y), ...]}"""
    figure = Figure(figsize=(7, 4.5))
    axis = figure.subplots()
    color, style = colors(series), styles(series)
    for name, points in series.items():
        axis.plot(*zip(*points), marker='o', markersize=4, label=name, color=color[name], linestyle=style[name])
    if log:
        axis.set_xscale('log')
        axis.set_yscale('log')
    else:
        axis.set_ylim(bottom=0)
    axis.set_title(title)
    axis.set_xlabel(xlabel)
    axis.set_ylabel(ylabel)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    figure.tight_layout()
    return figure


def bars(title, ylabel, groups):
    """groups: {group: {name: value}}; one cluster of bars per group"""
    names = list(dict.fromkeys(name for values in groups.values() for name in values))
    color = colors(names)
    figure = Figure(figsize=(max(7, 1.2 * len(groups) * len(names) ** 0.5), 4.5))
    axis = figure.subplots()
    width = 0.8 / len(names)
    for i, name in enumerate(names):
        at = [g + i * width for g, values in enumerate(groups.values()) if name in values]
        axis.bar(at, [values[name] for values in groups.values() if name in values], width, label=name, color=color[name],
                 alpha=1 - 0.25 * (sum(map(ours, names[:i])) % 3) if color[name] == OURS else 1)
    axis.set_xticks([g + 0.4 - width / 2 for g in range(len(groups))])
    axis.set_xticklabels(groups)
    axis.set_title(title)
    axis.set_ylabel(ylabel)
    axis.grid(axis='y', alpha=0.3)
    axis.legend(fontsize=8)
    figure.tight_layout()
    return figure
