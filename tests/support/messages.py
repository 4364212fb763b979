"""Messages of a test: who is owed one, and what became of them."""

import socket
import threading

from tests.support.database import rows_of

EVERYBODY = {"zoho": 0.0, "visitor": 0.0, "staff-mail": 0.0, "staff-webhook": 0.0}


def states(engine, name):
    """How many rows of a destination are in each state."""
    query = "SELECT status, count(*) AS n FROM deliveries WHERE destination = :name GROUP BY status"
    return {row["status"]: row["n"] for row in rows_of(engine, query, name=name)}


def last_code(engine, name):
    """The code of the last attempt at a destination."""
    query = "SELECT code FROM attempts WHERE destination = :name ORDER BY id DESC LIMIT 1"
    return rows_of(engine, query, name=name)[0]["code"]


def answer(port, *answers):
    """A mail server that answers each line, or each message, with the next of these; gives the thread."""
    listener = socket.create_server(("127.0.0.1", port))

    def serve():
        with listener:
            connection, _ = listener.accept()
            with connection, connection.makefile("rwb") as lines:
                for each in answers:
                    lines.write(f"{each}\r\n".encode())
                    lines.flush()
                    while lines.readline() not in {b".\r\n", b""} and each.startswith("354"):
                        continue
                lines.read()  # silent until the client hangs up

    thread = threading.Thread(target=serve)
    thread.start()
    return thread
