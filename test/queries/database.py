"""The connection of the fuzzer and of the random queries."""
import os
import select

import psycopg2
import psycopg2.extensions


class Hang(Exception):
    pass


class Database:
    """A connection that is made again after the server has crashed."""

    def __init__(self, patience):
        self.patience = patience
        self.settings = ""
        psycopg2.extensions.set_wait_callback(self.wait)
        self.connect(os.environ.get("PGDATABASE", "postgres"))

    def wait(self, connection):
        """psycopg2's way of waiting, but not for ever."""
        while True:
            state = connection.poll()
            if state == psycopg2.extensions.POLL_OK:
                return
            reading = [connection] if state == psycopg2.extensions.POLL_READ else []
            writing = [connection] if state == psycopg2.extensions.POLL_WRITE else []
            if not any(select.select(reading, writing, [], self.patience)):
                raise Hang("no answer within %d s" % self.patience)

    def connect(self, name):
        self.connection = psycopg2.connect(dbname=name, application_name="jsonrow fuzz")
        self.connection.autocommit = True
        self.run("SET client_min_messages = warning; SET jit = off; " + self.settings)

    def rows(self, query, *arguments):
        with self.connection.cursor() as cursor:
            cursor.execute(query, arguments or None)
            return cursor.fetchall()

    def run(self, query, *arguments):
        with self.connection.cursor() as cursor:
            cursor.execute(query, arguments or None)

    def value(self, query, *arguments):
        return self.rows(query, *arguments)[0][0]

    def notices(self):
        result = self.connection.notices[:]
        del self.connection.notices[:]
        return result
