"""A client that sees the messages themselves: what the server sends through its protocol, version 3.

psycopg2 knows the simple protocol and text.  Other clients ask for binary values, describe statements before they
run them, and fetch rows in parts.  A Client answers as psycopg2's cursor does, as far as same.py needs it, but
with all that a message has: nothing is interpreted that could hide a difference.
"""
import collections
import os
import socket
import struct

import psycopg2
import psycopg2.extensions

TEXT, BINARY = 0, 1
# The first OID of what users create
FIRST_NORMAL = 16384

# How a statement is sent: formats are those of columns, repeated as often as there are columns; rows is how many
# are fetched at a time, 0 for all; describe is b"S" for the statement, b"P" for the portal
Way = collections.namedtuple("Way", "name formats rows describe")


def random_way(rng):
    """One of those in which clients ask"""
    describe, rows = rng.choice([b"S", b"P"]), rng.choice([0, 0, 1, 2, 7])
    formats = [rng.choice([TEXT, BINARY]) for _ in range(7)]
    return rng.choice([Way("simple", None, 0, None), Way("extended text", [TEXT], rows, describe),
                       Way("extended binary", [BINARY], rows, describe),
                       Way("extended mixed", formats, rows, b"S")])


def description_of(way):
    """For a human"""
    if way.formats is None:
        return "the simple protocol"
    return "the extended protocol, formats %s, %s rows at a time, %s described" % (
        way.formats, way.rows or "all", "statement" if way.describe == b"S" else "portal")


class Unsupported(Exception):
    """The server wants a password, say."""


class Failure(psycopg2.Error):
    """An ErrorResponse, with the names that psycopg2 gives to its fields"""
    pgcode = diag = None

    def __init__(self, fields):
        super().__init__(fields.get("M"))
        self.pgcode = fields.get("C")
        names = (("severity", "S"), ("message_primary", "M"), ("message_detail", "D"), ("message_hint", "H"), ("context", "W"))
        self.diag = collections.namedtuple("Diagnostics", [n for n, _ in names])(*(fields.get(f) for _, f in names))


class Binary(bytes):
    """A value in binary.  For same.py each byte is a word, so that it recognizes another order within a value."""

    def __repr__(self):
        return self.hex(" ")


class Client:
    """One session, on the server and with the user of a connection of psycopg2's.  If objects are made anew for
    each answer (anew), their OIDs are left away."""

    def __init__(self, connection, database, notices):
        self.notices, self.anew, self.closed, self.way = notices, False, False, None
        self.connection = self   # as a cursor's
        info = connection.info
        if info.host.startswith("/"):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(os.path.join(info.host, ".s.PGSQL.%d" % info.port))
        else:
            self.socket = socket.create_connection((info.host or "localhost", info.port))
        self.socket.settimeout(300)
        self.stream = self.socket.makefile("rb")
        self.start(user=info.user, database=database, client_encoding="UTF8", application_name="jsonrow fuzz")

    def start(self, **parameters):
        body = b"".join(n.encode() + b"\0" + v.encode() + b"\0" for n, v in parameters.items()) + b"\0"
        self.socket.sendall(struct.pack("!ii", len(body) + 8, 196608) + body)
        kind, body = self.receive()
        if kind == b"E":
            raise Failure(fields_of(body))
        if body != struct.pack("!i", 0):
            raise Unsupported("the server wants a password")
        self.finish()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    # Messages

    def send(self, *messages):
        """Each is (kind, body); lengths are added."""
        try:
            self.socket.sendall(b"".join(k + struct.pack("!i", len(b) + 4) + b for k, b in messages))
        except OSError as error:
            raise self.lost(error) from error

    def receive(self):
        """The next (kind, body), but for what may come at any time"""
        try:
            while True:
                head = self.stream.read(5)
                body = self.stream.read(struct.unpack("!i", head[1:])[0] - 4)
                kind = head[:1]
                if kind == b"N":
                    fields = fields_of(body)
                    self.notices.append("%s:  %s\n" % (fields["S"], fields["M"]))
                elif kind not in (b"S", b"A", b"K"):
                    return kind, body
        except (OSError, struct.error) as error:
            raise self.lost(error) from error

    def close(self):
        self.send((b"X", b""))
        self.stream.close()
        self.socket.close()

    def lost(self, error):
        self.closed = True
        return psycopg2.OperationalError("the connection is lost: %s" % error)

    def finish(self):
        """Read up to ReadyForQuery; an error in between comes before it is raised."""
        found = None
        kind = None
        while kind != b"Z":
            kind, body = self.receive()
            if kind == b"E":
                found = found or Failure(fields_of(body))
        if found:
            raise found

    def until(self, *wanted):
        """Messages up to one of these; an error ends what was sent together."""
        messages = []
        while not messages or messages[-1][0] not in wanted:
            messages.append(self.receive())
            if messages[-1][0] == b"E":
                failure = Failure(fields_of(messages[-1][1]))
                self.send((b"S", b""))
                self.finish()
                raise failure
        return messages

    # Statements

    def execute(self, text):
        """As simply as possible; what it returns is not wanted."""
        self.send((b"Q", text.encode() + b"\0"))
        try:
            self.finish()
        except Failure as failure:
            # On a busy machine even a ROLLBACK may take too long.
            if failure.pgcode != "57014" or text != "ROLLBACK":
                raise
            self.execute(text)

    def ask(self, text):
        """(tags, columns, rows) of a statement, in the way that was chosen, or (tags,) if it returns nothing"""
        messages = self.simple(text) if self.way.formats is None else self.extended(text)
        columns = [columns_of(b) for k, b in messages if k == b"T"]
        tags = tuple(b.rstrip(b"\0").decode() for k, b in messages if k in (b"C", b"I", b"s"))
        if not columns:
            return (tags,)
        formats = [column[-1] for column in columns[-1]]
        if self.way.formats is not None:
            formats = self.formats(len(formats))
        rows = tuple(row_of(b, formats) for k, b in messages if k == b"D")
        return tags, tuple(tuple(map(self.without_oids, c)) for c in columns), rows

    def simple(self, text):
        self.send((b"Q", text.encode() + b"\0"))
        messages = []
        failure = None
        while not messages or messages[-1][0] != b"Z":
            messages.append(self.receive())
            if messages[-1][0] == b"E":
                failure = Failure(fields_of(messages[-1][1]))
        if failure:
            raise failure
        return messages

    def extended(self, text):
        """One unnamed statement and portal"""
        way = self.way
        self.send((b"P", b"\0" + text.encode() + b"\0" + struct.pack("!h", 0)))
        messages = []
        formats = way.formats
        if way.describe == b"S":
            self.send((b"D", b"S\0"), (b"H", b""))
            messages += self.until(b"T", b"n")
            if len(formats) > 1:
                described = messages[-1]
                formats = self.formats(len(columns_of(described[1])) if described[0] == b"T" else 0)
        self.send((b"B", b"\0\0" + struct.pack("!hh%dh" % (len(formats) + 1), 0, 0, len(formats), *formats)))
        if way.describe == b"P":
            self.send((b"D", b"P\0"), (b"H", b""))
            messages += self.until(b"T", b"n")
        while not messages or messages[-1][0] not in (b"C", b"I"):
            self.send((b"E", b"\0" + struct.pack("!i", way.rows)), (b"H", b""))
            messages += self.until(b"C", b"I", b"s")
        self.send((b"S", b""))
        self.finish()
        return messages

    def formats(self, count):
        return [self.way.formats[i % len(self.way.formats)] for i in range(count)]

    def without_oids(self, column):
        if not self.anew:
            return column
        name, table, number, oid, *rest = column
        return (name, min(table, FIRST_NORMAL), number, min(oid, FIRST_NORMAL), *rest)


def fields_of(body):
    """Of an ErrorResponse or a NoticeResponse"""
    return {f[:1].decode(): f[1:].decode() for f in body.split(b"\0") if f}


def columns_of(body):
    """All that a RowDescription has, for each column: name, table, number, type, size, typmod, format"""
    count, = struct.unpack_from("!h", body)
    place = 2
    columns = []
    for _ in range(count):
        end = body.index(b"\0", place)
        columns.append((body[place:end].decode(), *struct.unpack_from("!ihihih", body, end + 1)))
        place = end + 19
    return columns


def row_of(body, formats):
    """The values of a DataRow: text, bytes, or None"""
    count, = struct.unpack_from("!h", body)
    if count != len(formats):
        return ("%d values for %d columns" % (count, len(formats)), Binary(body))
    place = 2
    values = []
    for code in formats:
        length, = struct.unpack_from("!i", body, place)
        value = None if length < 0 else body[place + 4:place + 4 + length]
        if value is not None:
            value = Binary(value) if code == BINARY else value.decode(errors="surrogateescape")
        values.append(value)
        place += 4 + max(length, 0)
    return tuple(values)
