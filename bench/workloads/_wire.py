"""A client that knows when the first byte came and when the last, and keeps none.

It speaks as much of the protocol as that takes, over the Unix socket of a server
that asks for no password.
"""
import contextlib
import os
import re
import socket
import struct
import threading
import time

from measure import cpu_of, resident

COMPLETE = re.compile(rb'C\0\0\0.[A-Z ]+\d*\0Z\0\0\0\x05[IT]$', re.S)
READY = (b'Z\0\0\0\x05I', b'Z\0\0\0\x05T', b'Z\0\0\0\x05E')


class Session:
    """A backend of its own, with these settings"""

    def __init__(self, settings):
        options = ' '.join(f'-c {name}={value}' for name, value in settings.items())
        told = {'user': os.environ['PGUSER'], 'database': os.environ['PGDATABASE'], 'options': options}
        body = struct.pack('!i', 196608) + ''.join(f'{name}\0{value}\0' for name, value in told.items()).encode() + b'\0'
        self.buffer = bytearray(1 << 20)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{os.environ['PGHOST']}/.s.PGSQL.{os.environ['PGPORT']}")
        self.socket.sendall(struct.pack('!i', len(body) + 4) + body)
        greeting = self.receive()[0]
        key = greeting.find(b'K\0\0\0\x0c')
        if key < 0:
            raise RuntimeError(f'no connection: {greeting}')
        self.pid = struct.unpack('!i', greeting[key + 5:key + 9])[0]

    def receive(self):
        """The last 1000 bytes of an answer, when its first ones came, and their number"""
        tail, first, count = b'', None, 0
        while not tail.endswith(READY):
            n = self.socket.recv_into(self.buffer)
            first = first or time.perf_counter()
            if not n:
                raise RuntimeError(f'the server has gone: {tail}')
            tail = (tail + bytes(self.buffer[max(0, n - 1000):n]))[-1000:]
            count += n
        return tail, first, count

    def ask(self, sql):
        """When the first byte came, and how many came"""
        self.socket.sendall(b'Q' + struct.pack('!i', len(sql.encode()) + 5) + sql.encode() + b'\0')
        tail, first, count = self.receive()
        if not COMPLETE.search(tail):
            raise RuntimeError(f'this cannot be run: {sql}\n{tail}')
        return first, count

    def close(self):
        self.socket.close()


@contextlib.contextmanager
def connection(settings):
    session = Session(settings)
    try:
        yield session
    finally:
        session.close()


def fetch(session, before, statements):
    """Run them, and throw the rows away: milliseconds of the backend's CPU, until all has come, and until the first has; bytes."""
    cpu, started, first, count = cpu_of(session.pid), time.perf_counter(), None, 0
    for sql in before:
        session.ask(sql)
    for sql in statements:
        came, n = session.ask(sql)
        first = first or came
        count += n
    ended = time.perf_counter()
    return {'cpu': (cpu_of(session.pid) - cpu) / 1e6, 'all': (ended - started) * 1e3, 'first': (first - started) * 1e3, 'bytes': count}


def peak(settings, before, statements):
    """Bytes of its own that a fresh backend has at most, while it runs them"""
    most, done = 0, threading.Event()
    with connection(settings) as session:
        def watch():
            nonlocal most
            while not done.is_set():
                most = max(most, resident(session.pid))
                time.sleep(0.001)
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            fetch(session, before, statements)
        finally:
            done.set()
            watcher.join()
    return most
