"""What is shown in more than one place, so that it is written by one program: tables of the report that other
pages have, too, between markers; and what the report was made of."""
import hashlib
import pathlib
import re

top = pathlib.Path(__file__).resolve().parent.parent
REPORT = 'doc/benchmarks.md'
ELSEWHERE = f', not of {REPORT}'     # until the report has been made with this table in it
TABLE = re.compile(rf'<!-- figures: (?P<name>[\w ]+)(?P<elsewhere>{re.escape(ELSEWHERE)})? -->\n(?P<body>.*?)<!-- end of figures -->\n', re.S)


def marked(name, lines):
    return [f'<!-- figures: {name} -->', *lines, '<!-- end of figures -->']


def tables(text):
    """{name: lines}"""
    return {table['name']: table['body'] for table in TABLE.finditer(text)}


def filled(text, known):
    """The text, with the tables of these names as they are known"""
    def table(found):
        name = found['name']
        return '\n'.join(marked(name, known[name].splitlines())) + '\n' if name in known else found.group()
    return TABLE.sub(table, text)


def pages():
    """Those that may show tables of the report"""
    return [top / 'README.md', *sorted(set((top / 'doc').glob('*.md')) - {top / REPORT}), *sorted((top / 'clients').glob('*/README.md'))]


def digest(paths):
    """Tells one state of these files from another."""
    result = hashlib.sha1()
    for path in sorted(paths):
        result.update(path.read_bytes())
    return result.hexdigest()[:10]


def sources():
    """The state of the extension's"""
    return digest([*(top / 'src').rglob('*.[ch]'), *top.glob('*.sql')])
