# SPDX-License-Identifier: MIT
"""A worker of beanstalkd, whose protocol has no client in Debian: a connection for each of its threads.

    beanstalkd.py work tcp://HOST:PORT RECORD CONCURRENCY
    beanstalkd.py push tcp://HOST:PORT
    beanstalkd.py left tcp://HOST:PORT      which jobs there are, in JSON: their numbers, and the state of each

A job's time to run (TTR) is 120 s, as many clients have it by default. Of the rest the protocol says what to do: a thread
that lost its connection makes another, and its job is another's then.
"""
import json, os, signal, socket, sys, threading, time
from urllib.parse import urlparse

from record import Record, jobs_of_input

TIME_TO_RUN = 120


class Connection:
    def __init__(self, url):
        place = urlparse(url)
        self.socket = socket.create_connection((place.hostname, place.port))
        self.answers = self.socket.makefile("rb")

    def ask(self, command, body=None):
        """Sends a command; returns the words of the answer, and its body."""
        tail = b"" if body is None else f" {len(body)}\r\n".encode() + body
        self.socket.sendall(command.encode() + tail + b"\r\n")
        words = self.answers.readline().decode().split()
        if not words:
            raise ConnectionError("beanstalkd closed the connection")
        if words[0] not in ("RESERVED", "FOUND", "OK"):
            return words, b""
        return words, self.answers.read(int(words[-1]) + 2)[:-2]


class Worker:
    def __init__(self, url, record, concurrency):
        self.url, self.record = url, record
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self.work) for _ in range(concurrency)]

    def work(self):
        while not self.stopping.is_set():
            try:
                connection = Connection(self.url)
                while not self.stopping.is_set():
                    self.work_once(connection)
            except OSError:
                time.sleep(1)

    def work_once(self, connection):
        words, body = connection.ask("reserve-with-timeout 1")
        if words[0] == "RESERVED":
            self.record.handle(json.loads(body))
            connection.ask(f"delete {words[1]}")


def jobs_left(connection):
    """The server numbers its jobs from 1."""
    _, counts = connection.ask("stats")
    total = next(int(line.split(":")[1]) for line in counts.decode().splitlines() if line.startswith("total-jobs:"))
    left = {}
    for number in range(1, total + 1):
        found, body = connection.ask(f"peek {number}")
        known, states = connection.ask(f"stats-job {number}")
        if found[0] == "FOUND" and known[0] == "OK":  # it may end between the two
            state = next(line.split(": ")[1] for line in states.decode().splitlines() if line.startswith("state:"))
            left[json.loads(body)["id"]] = state
    return left


def main():
    what, url = sys.argv[1:3]
    if what == "left":
        print(json.dumps(jobs_left(Connection(url))))
        return
    if what == "push":
        connection = Connection(url)
        for job in jobs_of_input():
            words, _ = connection.ask(f"put 0 0 {TIME_TO_RUN}", json.dumps(job).encode())
            if words[0] != "INSERTED":
                sys.exit(f"beanstalkd: {' '.join(words)}")
        return
    worker = Worker(url, Record(sys.argv[3]), int(sys.argv[4]))
    signal.signal(signal.SIGTERM, lambda *_: worker.stopping.set())
    for thread in worker.threads:
        thread.start()
    worker.record.write("ready")
    for thread in worker.threads:
        thread.join()


if __name__ == "__main__":
    main()
