# SPDX-License-Identifier: MIT
"""What the workers in Python have in common: the record, and the handler."""
import json, os, sys, time


class Record:
    def __init__(self, path):
        self.path = path
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def write(self, what, job="-"):
        os.write(self.file, f"{time.monotonic_ns()} {os.getpid()} {what} {job}\n".encode())

    def is_first(self):  # only the first run blocks
        try:
            os.close(os.open(self.path + ".blocked", os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            return True
        except FileExistsError:
            return False

    def handle(self, job):
        self.write("began", job["id"])
        if job["block"] and self.is_first():
            time.sleep(job["block"] / 1000)
        time.sleep(job["ms"] / 1000)
        self.write("ended", job["id"])


def jobs_of_input():
    return [json.loads(line) for line in sys.stdin]
