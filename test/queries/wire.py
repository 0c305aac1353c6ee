"""Sessions whose answers are compared message by message, with jsonrow.accelerate off and on."""
import contextlib
import os
import struct

import psycopg2

import protocol

TEXT, BINARY = protocol.TEXT, protocol.BINARY
ALL_ROWS = 0

# Formats as Bind has them: none, one for all columns, or one for each; None is the simple protocol
WAYS = [("simple", None, ALL_ROWS), ("text", [], ALL_ROWS), ("text, a row at a time", [TEXT], 1),
        ("binary", [BINARY], ALL_ROWS), ("binary, three rows at a time", [BINARY], 3)]
MIXED = [("mixed", [BINARY, TEXT], ALL_ROWS), ("mixed, two rows at a time", [TEXT, BINARY], 2)]
FEW = [WAYS[0], WAYS[2], WAYS[3]]


class Session(protocol.Client):
    """Whose answers are all messages up to ReadyForQuery"""

    def answer(self, text, formats, rows=ALL_ROWS):
        if formats is None:
            self.send((b"Q", text.encode() + b"\0"))
            return self.rest()
        fetches = 1 if rows == ALL_ROWS else 40
        bind = b"\0\0" + struct.pack("!hhh%dh" % len(formats), 0, 0, len(formats), *formats)
        self.send((b"P", b"\0" + text.encode() + b"\0\0\0"), (b"B", bind), (b"D", b"P\0"),
                  *[(b"E", b"\0" + struct.pack("!i", rows))] * fetches, (b"S", b""))
        return self.rest()

    def rest(self):
        messages = []
        while not messages or messages[-1][0] != b"Z":
            messages.append(self.receive())
        # Where in PostgreSQL's source an error was raised says nothing to users; nor does how long something took.
        return [(k, sorted(f for f in b.split(b"\0") if f[:1] not in b"FLR") if k in b"EN" else b)
                for k, b in messages]

    def value(self, text):
        """The first of the first row"""
        row = next(body for kind, body in self.answer(text, None) if kind == b"D")
        return protocol.row_of(row, [TEXT] * struct.unpack_from("!h", row)[0])[0]

    def columns(self, text):
        """How many"""
        self.send((b"P", b"\0" + text.encode() + b"\0\0\0"), (b"D", b"S\0"), (b"S", b""))
        described = [b for k, b in self.rest() if k == b"T"]
        return struct.unpack_from("!h", described[0])[0] if described else 0

    def close(self):
        self.socket.close()
        self.stream.close()

    def set(self, name, value):
        self.execute("SET %s = '%s'" % (name, value))


def connect(name):
    connection = psycopg2.connect(dbname=os.environ.get("PGDATABASE", "postgres"))
    session = Session(connection, name, [])
    connection.close()
    session.execute("LOAD 'jsonrow'")
    session.execute("SET jit = off")
    session.encoding = "UTF8"
    return session


def short(value):
    text = repr(value)
    return text if len(text) < 300 else "%s ... (%d characters)" % (text[:300], len(text))


def differences(session, text, ways):
    """In lines, for TAP"""
    for name, formats, rows in ways:
        if formats and len(formats) > 1:
            formats = [formats[i % 2] for i in range(session.columns(text))]
        answers = []
        for mode in ("off", "on"):
            session.set("jsonrow.accelerate", mode)
            session.notices.clear()
            answers.append((session.answer(text, formats, rows), list(session.notices)))
            if answers[-1][0][-1] != (b"Z", b"I"):
                session.execute("ROLLBACK")
        if answers[0] != answers[1]:
            yield "%s, %s: %s" % (name, session.encoding, text[:200])
            for off, on in zip(*(a[0] + [("notices", a[1])] for a in answers)):
                if off != on:
                    yield "off: " + short(off)
                    yield "on:  " + short(on)
                    break


@contextlib.contextmanager
def database(name):
    """A session in a database of its own"""
    maintenance = psycopg2.connect(dbname=os.environ.get("PGDATABASE", "postgres"))
    maintenance.autocommit = True
    maintenance.cursor().execute("CREATE DATABASE %s TEMPLATE template0" % name)
    session = connect(name)
    try:
        yield session
    finally:
        session.close()
        maintenance.cursor().execute("DROP DATABASE %s (FORCE)" % name)
