"""Charts that read without the text.

Ours is red, and what it is compared with is not.  Bars carry their figures,
and whiskers tell how these varied.  Under a chart stands, in small print, what
its words mean.
"""
import textwrap

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from measured import FEW, Measured, is_wide, limits

matplotlib.rcParams.update({'font.size': 9, 'axes.titlesize': 9.5, 'svg.fonttype': 'none', 'svg.hashsalt': 'jsonrow',
                            'axes.spines.top': False, 'axes.spines.right': False})
OURS = '#c0392b'
OTHERS = ['#2c3e50', '#2980b9', '#27ae60', '#8e44ad', '#d68910', '#7f8c8d', '#16a085', '#5d6d7e']
FLOOR = '#d5d8dc'
CHARACTERS_PER_INCH = 14
WHISKERS = f'Whiskers: the middle half of the rounds (of fewer than {FEW}, all).'


def is_ours(name):
    return 'jsonrow' in name or 'jsoncol' in name


def short(value):
    return ('~' if is_wide(value) else '') + (f'{value:,.0f}' if value >= 100 else f'{value:.3g}')


def is_measured(values):
    return any(isinstance(value, Measured) for value in values)


def whiskers(values):
    """How far they reach below and above each value"""
    if not is_measured(values):
        return None
    low, high = zip(*map(limits, values))
    return [float(v) - l for v, l in zip(values, low)], [h - float(v) for v, h in zip(values, high)]


def with_whiskers(note, values):
    return f'{note} {WHISKERS}' if is_measured(values) else note


def tick(value, _=None):
    """0.1, 10, 1,000, 100k, 1M"""
    for size, unit in ((1e6, 'M'), (1e3, 'k')):
        if value >= max(size, 1e4):
            return f'{value / size:g}{unit}'
    return f'{value:,g}'


def style_of(names):
    """The others by color; ours all red, and told apart by dashes and marks."""
    others, dashes = iter(OTHERS * 3), iter([('-', 'o'), ('--', 's'), (':', '^'), ('-.', 'v')] * 3)
    styles = {}
    for name in names:
        dash, mark = next(dashes) if is_ours(name) else ('-', 'o')
        # where lines lie upon each other, both are seen
        over = {'linewidth': 1.3, 'zorder': 3} if is_ours(name) else {'linewidth': 2.6, 'alpha': 0.75}
        styles[name] = {'color': OURS if is_ours(name) else next(others), 'linestyle': dash, 'marker': mark} | over
    return styles


def panels_of(panels, width, height, across, **share):
    across = across or len(panels)
    down = -(-len(panels) // across)
    figure = Figure(figsize=(width * across, height * down + 0.8), layout='constrained')
    axes = list(figure.subplots(down, across, squeeze=False, **share).flat)
    for spare in axes[len(panels):]:
        spare.set_visible(False)
    return figure, axes[:len(panels)]


def entitle(figure, title, xlabel, note):
    """What it is above, and the small print below."""
    inches = figure.get_figwidth()
    figure.suptitle(textwrap.fill(title, int(inches * 11)), fontsize=11)
    small = textwrap.fill(' '.join(f'Red: jsonrow. {note}'.split()), int(inches * CHARACTERS_PER_INCH))
    figure.supxlabel((xlabel + '\n' if xlabel else '') + small, fontsize=8)


def bars(title, panels, across=None, note='', floor=None):
    """panels: {heading: {name: value}}; a bar each, from the top, with its figure; the heading tells the unit."""
    names = list(dict.fromkeys(name for values in panels.values() for name in values))
    figure, axes = panels_of(panels, 3.4, 0.25 * len(names) + 0.7, across, sharey=True)
    for axis, (heading, values) in zip(axes, panels.items()):
        at = [names.index(name) for name in values]
        drawn = axis.barh(at, values.values(), 0.72, color=[OURS if is_ours(name) else FLOOR if name == floor else '#7f8c8d' for name in values],
                          xerr=whiskers(values.values()), error_kw={'elinewidth': 0.9, 'capsize': 2, 'ecolor': 'black'})
        axis.bar_label(drawn, labels=[short(value) for value in values.values()], padding=3, fontsize=8)
        axis.set_xlim(0, max(limits(value)[1] for value in values.values()) * 1.25)
        axis.set_title(heading)
        axis.xaxis.set_major_locator(MaxNLocator(4))
        axis.xaxis.set_major_formatter(FuncFormatter(tick))
    axes[0].set_yticks(range(len(names)), names)
    axes[0].invert_yaxis()
    entitle(figure, title, '', with_whiskers(note, [value for values in panels.values() for value in values.values()]))
    return figure


def scale(axis, kind, points=None):
    """Of an x or y axis: plain numbers, of sizes that people know."""
    getattr(axis.axes, f'set_{axis.axis_name}scale')(kind)
    axis.set_major_formatter(FuncFormatter(tick))
    axis.set_minor_formatter(NullFormatter())
    if kind == 'linear' and points and len(points) <= 5:
        axis.set_ticks(points)


def lines(title, xlabel, ylabel, panels, scales=('log', 'log'), across=None, note='', names=None, one=None, marked=None):
    """panels: {heading: {name: [(x, y), ...]}}, all to the same scale; one: what the ratio 1 is; marked: points in red, {heading: {(x, y), ...}}, the others hollow"""
    styles = style_of(names or dict.fromkeys(name for series in panels.values() for name in series))
    single = len(panels) == 1
    figure, axes = panels_of(panels, 7 if single else 4, 3.6 if single else 3, across, sharex=True, sharey=True)
    drawn = [point for series in panels.values() for points in series.values() for point in points]
    for axis, (heading, series) in zip(axes, panels.items()):
        for name, points in series.items():
            xs, ys = zip(*points)
            axis.plot(xs, ys, markersize=3.5, label=name, **styles[name] | ({'markerfacecolor': 'white'} if marked else {}))
            axis.vlines(xs, *zip(*map(limits, ys)), color=styles[name]['color'], linewidth=0.9)
        if marked and marked[heading]:
            axis.scatter(*zip(*marked[heading]), s=28, color=OURS, zorder=4)
        scale(axis.xaxis, scales[0], sorted({x for x, _ in drawn}))
        scale(axis.yaxis, scales[1])
        if one:
            axis.axhline(1, color='black', linewidth=1, linestyle=(0, (1, 2)), label=f'1: {one}')
        axis.set_title(heading)
        axis.grid(alpha=0.3)
    if scales[1] == 'linear':
        axes[0].set_ylim(bottom=0)
    handles = {label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels())}
    order = sorted(handles, key=lambda label: list(styles).index(label) if label in styles else len(styles))
    corner = axes[(across or len(panels)) - 1]
    corner.legend([handles[name] for name in order], order, loc='upper left', bbox_to_anchor=(1.02, 1), frameon=False)
    figure.supylabel(ylabel + (' (log scale)' if scales[1] == 'log' else ''), fontsize=9)
    entitle(figure, title, xlabel, with_whiskers(note, [y for _, y in drawn]))
    return figure


def above_floor(series, floor):
    """The curves without the points that noise has brought below the floor, which nothing can be."""
    least = dict(series[floor])
    return {name: [(x, y) for x, y in points if y >= least[x]] for name, points in series.items()}


def fastest(values):
    """The name and value of the least, and whether another comes within a tenth."""
    ordered = sorted(values, key=values.get)
    return ordered[0], values[ordered[0]], len(ordered) > 1 and values[ordered[1]] < 1.1 * values[ordered[0]]


def grid(title, xlabel, ylabel, unit, panels, names, note=''):
    """panels: {heading: {(x, y): {name: value}}}: whose value is least, in color and words."""
    styles = style_of(names)
    figure, axes = panels_of(panels, 6.5, 3.8, None, sharey=True)
    for axis, (heading, cells) in zip(axes, panels.items()):
        xs, ys = (sorted({key[i] for key in cells}) for i in (0, 1))
        for (x, y), values in cells.items():
            name, value, tie = fastest(values)
            at = xs.index(x), ys.index(y)
            axis.add_patch(Rectangle((at[0] - 0.49, at[1] - 0.49), 0.98, 0.98, color=styles[name]['color'], alpha=0.3 if tie else 0.85, linewidth=0))
            axis.annotate(f'{name.replace(", ", chr(10))}\n{short(value)} {unit}', at, ha='center', va='center', fontsize=5.5, color='black' if tie else 'white')
        axis.set_xlim(-0.5, len(xs) - 0.5)
        axis.set_ylim(-0.5, len(ys) - 0.5)
        axis.set_xticks(range(len(xs)), [tick(x) for x in xs])
        axis.set_yticks(range(len(ys)), [str(y) for y in ys])
        axis.set_title(heading)
    figure.supylabel(ylabel, fontsize=9)
    entitle(figure, title, xlabel, 'Pale: another is within a tenth. ' + note)
    return figure
