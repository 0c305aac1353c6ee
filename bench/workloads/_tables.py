"""Tables in Markdown, ratios first."""


def table(header, rows):
    def line(cells):
        return '| ' + ' | '.join(str(cell) for cell in cells) + ' |'
    return [line(header), line(['---'] * len(header))] + [line(row) for row in rows] + ['']


def number(value):
    """Three digits are more than such measurements are good for."""
    if value >= 1000:
        return f'{value:,.0f}'
    return f'{value:.3g}' if value >= 0.001 else f'{value:.1g}'
