"""What a workload has to say, as Markdown: text, tables, charts, statements."""


def number(value):
    """Three digits are more than such measurements are good for."""
    if value is None:
        return ''
    if value >= 1000:
        return f'{value:,.0f}'
    return f'{value:.3g}' if value >= 0.001 else f'{value:.1g}'


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

    def table(self, header, rows):
        for cells in (header, ['---'] * len(header), *rows):
            self.lines.append('| ' + ' | '.join(str(cell).replace('|', '\\|') for cell in cells) + ' |')
        self.lines.append('')

    def contest(self, what, unit, sizes, ours):
        """{size: {name: value}}: the ratio of each to ours, and the value in brackets."""
        names = list(dict.fromkeys(name for values in sizes.values() for name in values))

        def cell(values, name):
            if name not in values:
                return ''
            return f'{ratio(values[name], values[ours])} ({number(values[name])})'
        self.table([f'{what}; ratio to {ours} ({unit})', *names],
                   [[f'{int(n):,}' if n.isdigit() else n, *[cell(values, name) for name in names]] for n, values in sizes.items()])

    def chart(self, name, what, figure):
        figure.savefig(self.results / f'{self.name}-{name}.svg', metadata={'Date': None})
        self.lines += [f'![{what}](results/{self.name}-{name}.svg)', '']

    def statements(self, statements):
        """What was run, for those who measure it in their own way."""
        self.lines += ['<details><summary>SQL</summary>', '', '```sql']
        for name, sql in statements.items():
            self.lines += [f'-- {name}', sql.strip().rstrip(';') + ';', '']
        self.lines[-1:] = ['```', '', '</details>', '']
