"""What a workload has to say, as Markdown: text, tables, charts, statements."""
from figures import marked
from measured import is_wide


def number(value):
    """Three digits are more than such measurements are good for; ~ before what varied by more than a quarter."""
    if value is None:
        return ''
    mark = '~' if is_wide(value) else ''
    if value >= 1000:
        return f'{mark}{value:,.0f}'
    return f'{mark}{value:.3g}' if abs(value) >= 0.001 else f'{mark}{value:.1g}'


def ratio(value, ours):
    return number(value / ours) if ours and value is not None else ''


def size(n):
    return f'{n:,} B' if n < 10_000 else f'{n / 1024:,.0f} KiB'


class Report:
    def __init__(self, name, results):
        self.name, self.results, self.lines = name, results, []

    def text(self, *paragraphs):
        for paragraph in paragraphs:
            self.lines += [' '.join(paragraph.split()), '']

    def heading(self, text):
        self.lines += [f'### {text}', '']

    def table(self, header, rows, shown=None):
        """Of so many columns; the first and those after them are folded away."""
        rows = list(rows)
        shown = shown or len(header)
        for cells in (header[:shown], ['---'] * shown, *[row[:shown] for row in rows]):
            self.lines.append('| ' + ' | '.join(str(cell).replace('|', '\\|') for cell in cells) + ' |')
        self.lines.append('')
        if shown < len(header):
            self.begin_fold('Values')
            self.table([header[0], *header[shown:]], [[row[0], *row[shown:]] for row in rows])
            self.end_fold()

    def shared_table(self, name, header, rows):
        """That other pages show, too"""
        table = Report(name, self.results)
        table.table(header, rows)
        self.lines += [*marked(name, table.lines[:-1]), '']

    def contest(self, what, unit, sizes, ours):
        """{size: {name: value}}: the ratio of each to ours, and the values folded away."""
        names = list(dict.fromkeys(name for values in sizes.values() for name in values))
        self.table([f'{what}; ratio to {ours}', *names, *[f'{name}, {unit}' for name in names]],
                   [[f'{int(n):,}' if n.isdigit() else n, *[ratio(values.get(name), values[ours]) for name in names],
                     *[number(values.get(name)) for name in names]] for n, values in sizes.items()], 1 + len(names))

    def chart(self, name, what, figure):
        figure.savefig(self.results / f'{self.name}-{name}.svg', metadata={'Date': None})
        self.lines += [f'![{what}](results/{self.name}-{name}.svg)', '']

    def begin_fold(self, summary):
        self.lines += [f'<details><summary>{summary}</summary>', '']

    def end_fold(self):
        self.lines += ['</details>', '']

    def statements(self, statements):
        """What was run, for those who measure it in their own way."""
        self.begin_fold('SQL')
        self.lines += ['```sql']
        for name, sql in statements.items():
            self.lines += [f'-- {name}', sql.strip().rstrip(';') + ';', '']
        self.lines[-1:] = ['```', '']
        self.end_fold()
