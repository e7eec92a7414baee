# SPDX-License-Identifier: MIT
"""A worker of coworker's HTTP gateway, as docs/remote-workers.md says: leases are renewed, acknowledgements repeated.

    remote.py work http://HOST:PORT RECORD CONCURRENCY
    remote.py push http://HOST:PORT
"""
import http.client, json, os, signal, sys, threading, time, urllib.error, urllib.request

from record import Record, jobs_of_input

QUEUE = "/v1/queues/managed:chaos/"


def post(url, what, body):
    request = urllib.request.Request(url + QUEUE + what, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.load(answer)


class Worker:
    def __init__(self, url, record):
        self.url, self.record = url, record
        self.running = 0
        self.changed = threading.Condition()
        self.stopping = threading.Event()

    def work(self):
        while not self.stopping.is_set():
            try:
                taken = post(self.url, "take", {"worker": f"chaos-{os.getpid()}", "wait": "20s"})["jobs"]
            except (OSError, http.client.HTTPException):
                time.sleep(1)
                continue
            for job in taken:
                self.run(job)

    def run(self, job):
        with self.changed:
            self.running += 1
        ended = threading.Event()
        renewing = threading.Thread(target=self.renew_until, args=(ended, job), daemon=True)
        renewing.start()
        self.record.handle(job["payload"])
        ended.set()
        renewing.join()  # a renewal that is under way brings the token that is valid then
        self.acknowledge(job)
        with self.changed:
            self.running -= 1
            self.changed.notify_all()

    def renew_until(self, ended, job):
        while not ended.wait(job["lease_seconds"] / 3):
            try:
                job.update(post(self.url, "renew", {"token": job["token"]}))
            except urllib.error.HTTPError as error:
                if error.code == 409:
                    return
            except (OSError, http.client.HTTPException):
                pass  # tried again, as long as the lease lasts

    def acknowledge(self, job):
        while True:
            try:
                post(self.url, "acknowledge", {"token": job["token"], "outcome": "success"})
                return
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    return  # 409: the lease had ended, or this was stored before
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(1)

    def wait_until_idle(self):
        with self.changed:
            self.changed.wait_for(lambda: self.running == 0)


def main():
    what, url = sys.argv[1:3]
    if what == "push":
        jobs = [{"kind": "Chaos", "id": str(job["id"]), "payload": job} for job in jobs_of_input()]
        for job in jobs:
            post(url, "jobs", job)
        return
    worker = Worker(url, Record(sys.argv[3]))
    signal.signal(signal.SIGTERM, lambda *_: worker.stopping.set())
    for _ in range(int(sys.argv[4])):
        threading.Thread(target=worker.work, daemon=True).start()
    worker.record.write("ready")
    worker.stopping.wait()
    worker.wait_until_idle()  # a take that waits is given up: what it gets goes back to the queue
    os._exit(0)


if __name__ == "__main__":
    main()
