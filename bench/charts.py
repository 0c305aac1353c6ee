"""Charts that read without the text.

Ours is red, and what it is compared with is not.  Bars carry their figures;
of lines the legend stands in the order in which they end, from the top.
"""
import re

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

matplotlib.rcParams.update({'font.size': 9, 'axes.titlesize': 9.5, 'svg.fonttype': 'none', 'svg.hashsalt': 'jsonrow',
                            'axes.spines.top': False, 'axes.spines.right': False})
OURS = '#c0392b'
OTHERS = ['#2c3e50', '#2980b9', '#27ae60', '#8e44ad', '#d68910', '#7f8c8d', '#16a085', '#5d6d7e']


def is_ours(name):
    return 'jsonrow' in name or 'jsoncol' in name


def short(value):
    return f'{value:,.0f}' if value >= 100 else f'{value:.3g}'


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


def panels_of(panels, width, height, across=None, **share):
    across = across or len(panels)
    down = -(-len(panels) // across)
    figure = Figure(figsize=(width * across, height * down + 0.5), layout='constrained')
    axes = list(figure.subplots(down, across, squeeze=False, **share).flat)
    for spare in axes[len(panels):]:
        spare.set_visible(False)
    return figure, axes[:len(panels)]


def bars(title, xlabel, panels, across=None):
    """panels: {heading: {name: value}}; a bar each, from the top, with its figure."""
    names = list(dict.fromkeys(name for values in panels.values() for name in values))
    figure, axes = panels_of(panels, 3.4, 0.25 * len(names) + 0.7, across, sharey=True)
    for axis, (heading, values) in zip(axes, panels.items()):
        at = [names.index(name) for name in values]
        drawn = axis.barh(at, values.values(), 0.72, color=[OURS if is_ours(name) else '#7f8c8d' for name in values])
        axis.bar_label(drawn, labels=[short(value) for value in values.values()], padding=3, fontsize=8)
        axis.set_xlim(0, max(values.values()) * 1.2)
        axis.set_title(heading)
        axis.set_xlabel(xlabel)
        axis.xaxis.set_major_locator(MaxNLocator(4))
        axis.xaxis.set_major_formatter('{x:,g}')
    axes[0].set_yticks(range(len(names)), names)
    axes[0].invert_yaxis()
    figure.suptitle(title, fontsize=11)
    return figure


def lines(title, xlabel, ylabel, panels, scales=('log', 'log'), across=None):
    """panels: {heading: {name: [(x, y), ...]}}, all to the same scale"""
    styles = style_of(dict.fromkeys(name for series in panels.values() for name in series))
    figure, axes = panels_of(panels, 7 if len(panels) == 1 else 4, 3.6 if len(panels) == 1 else 3, across, sharex=True, sharey=True)
    for axis, (heading, series) in zip(axes, panels.items()):
        for name, points in series.items():
            axis.plot(*zip(*points), markersize=3.5, label=name, **styles[name])
        axis.set_xscale(scales[0])
        axis.set_yscale(scales[1])
        axis.set_title(heading)
        axis.grid(alpha=0.3)
    if scales[1] == 'linear':
        axes[0].set_ylim(bottom=0)
    figure.supxlabel(xlabel, fontsize=9)
    figure.supylabel(ylabel, fontsize=9)
    last = {name: points[-1][1] for series in panels.values() for name, points in series.items()}
    handles = {label: handle for axis in axes for handle, label in zip(*axis.get_legend_handles_labels())}
    order = sorted(handles, key=lambda name: -last[name])
    corner = axes[(across or len(panels)) - 1]
    corner.legend([handles[name] for name in order], order, loc='upper left', bbox_to_anchor=(1.02, 1), frameon=False)
    figure.suptitle(title, fontsize=11)
    return figure


def grid(title, xlabel, ylabel, panels, across=None):
    """panels: {heading: {(x, y): name}}: which one it is, in colors and words."""
    names = sorted({re.sub(r'\s.*', '', name) for cells in panels.values() for name in cells.values()})
    styles = style_of(names)
    figure, axes = panels_of(panels, 5, 3, across, sharey=True)
    for axis, (heading, cells) in zip(axes, panels.items()):
        xs, ys = (sorted({key[i] for key in cells}) for i in (0, 1))
        for (x, y), name in cells.items():
            at = xs.index(x), ys.index(y)
            axis.add_patch(matplotlib.patches.Rectangle((at[0] - 0.5, at[1] - 0.5), 1, 1, color=styles[name.split()[0]]['color'], alpha=0.75, linewidth=0))
            axis.annotate(name.replace(' ', '\n'), at, ha='center', va='center', fontsize=7, color='white')
        axis.set_xlim(-0.5, len(xs) - 0.5)
        axis.set_ylim(-0.5, len(ys) - 0.5)
        axis.set_xticks(range(len(xs)), [f'{x:,}' for x in xs], rotation=30)
        axis.set_yticks(range(len(ys)), [str(y) for y in ys])
        axis.set_title(heading)
    figure.supxlabel(xlabel, fontsize=9)
    figure.supylabel(ylabel, fontsize=9)
    figure.suptitle(title, fontsize=11)
    return figure
