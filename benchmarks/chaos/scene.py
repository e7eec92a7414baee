# SPDX-License-Identifier: MIT
"""A scene: a system with two workers, some jobs, one fault, and what became of the jobs."""
import os, random, signal, subprocess, time
from collections import Counter

from account import Account, what_is_lost
from servers import LEASH, Wire, pause, wait_until

FROZEN = 150  # seconds: longer than the leases of all but graphile-worker
BLOCKED = 60
AWAY = 60
LIMIT = 200  # seconds after the fault's end in which all has to have become right
FAULTS = {
    "none": "nothing happens",
    "killed": "a worker gets SIGKILL",
    "frozen": f"a worker is stopped for {FROZEN} s, longer than its lease, and goes on",
    "blocked": f"a handler blocks its loop, or its thread, for {BLOCKED} s",
    "cut": "all connections of the workers are closed",
    "restarted": "the store gets SIGKILL (PostgreSQL: SIGQUIT), and is started again at once",
    "away": f"the store is stopped, and started again after {AWAY} s",
    "stopped": "a worker gets SIGTERM while jobs wait",
}


def handler_time(number):
    """How many ms the handler of a job waits: 500 to 1500, so that a worker's jobs do not end all at once."""
    return 500 + number * 389 % 1000


class Worker:
    def __init__(self, scene):
        self.scene, self.expected = scene, True  # that it runs
        self.start()

    def start(self):
        command, more = self.scene.system.work(self.scene.url, self.scene.record)
        with open(os.path.join(self.scene.folder, "workers.log"), "ab") as log:
            self.process = subprocess.Popen(LEASH + command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env={**os.environ, **more}, cwd=self.scene.folder)

    @property
    def pid(self):
        return self.process.pid

    def signal(self, which):
        self.process.send_signal(which)

    def stop(self, seconds):
        """How long it took to stop; None if it had to be killed."""
        self.expected = False
        begun = time.monotonic()
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        try:
            self.process.wait(seconds)
            return time.monotonic() - begun
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


class Scene:
    def __init__(self, system, fault, folder):
        self.system, self.fault, self.folder = system, fault, folder
        self.record = os.path.join(folder, "record")
        self.account, self.read = Account(), 0
        self.pushed, self.workers = [], []
        self.victim = None  # the worker that the fault concerns
        self.at = self.end = None  # of the fault, in nanoseconds
        self.restarts = 0  # of workers that ended by themselves, as a service manager starts them again
        self.wire, self.stopped_after = None, None

    def run(self):
        os.makedirs(self.folder)
        open(self.record, "w").close()
        self.server = self.system.server(os.path.join(self.folder, "store"))
        self.front = self.system.front(os.path.join(self.folder, "front"), self.server)
        try:
            self.server.start()
            if self.front:
                self.front.start()
            self.perform()
            return self.result()
        finally:
            for worker in self.workers:
                worker.process.kill()
                worker.process.wait()
            for server in (self.front, self.server):
                if server:
                    server.kill()
            if self.wire:
                self.wire.close()

    def perform(self):
        port = (self.front or self.server).port
        if self.fault == "cut":
            self.wire = Wire(port)
            port = self.wire.port
        self.url = self.system.url(port)
        self.push(5)
        if (seen := self.system.left(self.server)).keys() != set(self.pushed):
            raise RuntimeError(f"of jobs {self.pushed} in the store these are found: {seen}")
        self.workers = [Worker(self) for _ in range(2)]
        self.wait(lambda: len(self.account.ready) == 2, 60, "both workers are ready")
        self.victim = self.workers[0]
        getattr(self, self.fault)()
        self.wait_until_right()
        self.stop_workers()
        self.left = self.system.left(self.server)
        self.keys = self.server.lasting()

    # --- the faults -------------------------------------------------------------

    def none(self):
        self.push(100)
        self.mark()
        self.end = self.at

    def killed(self):
        if self.system.checks:
            pause(random.uniform(0, self.system.checks))  # or each scene would be as far from the next check
        self.push(100)
        self.wait_for_runs(90)
        pause(random.uniform(0, 0.5))
        self.victim.expected = False
        self.mark()
        self.victim.signal(signal.SIGKILL)
        self.end = self.at

    def frozen(self):
        self.push(100)
        self.wait_for_runs(90)
        self.mark()
        self.victim.signal(signal.SIGSTOP)
        self.sleep_until_end_of(FROZEN)
        self.victim.signal(signal.SIGCONT)
        self.end = time.monotonic_ns()

    def blocked(self):
        blocking = len(self.pushed) + 40
        self.push(100, blocking)
        self.wait(lambda: self.runs_of(blocking), 60, "a worker is blocked")
        run = self.runs_of(blocking)[0]
        self.at, self.end = run.began, run.began + BLOCKED * 10**9
        self.victim = next(worker for worker in self.workers if worker.pid == run.worker)
        self.sleep_until_end_of(BLOCKED)

    def cut(self):
        self.push(300)
        self.wait_for_runs(60)
        self.mark()
        self.wire.cut()
        self.end = self.at

    def restarted(self):
        self.push(300)
        self.wait_for_runs(60)
        self.mark()
        self.server.kill()
        self.server.start()
        self.end = time.monotonic_ns()

    def away(self):
        self.push(300)
        self.wait_for_runs(60)
        self.mark()
        self.server.stop()
        self.sleep(AWAY)
        self.server.start()
        self.end = time.monotonic_ns()

    def stopped(self):
        self.push(300)
        self.wait_for_runs(60)
        self.mark()
        self.stopped_after = self.victim.stop(60)
        self.end = time.monotonic_ns()

    # --- what they are made of --------------------------------------------------

    def push(self, count, blocking=None):
        first = len(self.pushed)
        numbers = range(first, first + count)
        jobs = [{"id": n, "ms": handler_time(n), "block": BLOCKED * 1000 if n == blocking else 0} for n in numbers]
        self.system.push(self.system.url((self.front or self.server).port), jobs)
        self.pushed += numbers

    def mark(self):
        self.refresh()
        self.at = time.monotonic_ns()

    def refresh(self):
        with open(self.record, "rb") as file:
            file.seek(self.read)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self.read += len(whole)
        for line in whole.decode().splitlines():
            self.account.add(line)

    def wait(self, what, seconds, why):
        def is_so():
            self.refresh()
            self.keep_up()
            return what()
        wait_until(is_so, seconds, f"{self.system.name}, {self.fault}: {why}")

    def sleep(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.keep_up()
            pause(min(0.5, max(0, until - time.monotonic())))

    def sleep_until_end_of(self, seconds):
        """Shortly before that time after the fault there are jobs again, so that one sees who works."""
        passed = (time.monotonic_ns() - self.at) / 1e9
        self.sleep(seconds - passed - 4)
        self.push(80)
        self.sleep(seconds - (time.monotonic_ns() - self.at) / 1e9)

    def keep_up(self):
        for worker in self.workers:
            if worker.expected and worker.process.poll() is not None:
                self.restarts += 1
                with open(os.path.join(self.folder, "workers.log"), "a", encoding="utf-8") as log:
                    log.write(f"chaos: a worker ended by itself with {worker.process.returncode}\n")
                pause(1)
                worker.start()

    def runs_of(self, job):
        return [run for run in self.account.runs if run.job == job]

    def wait_for_runs(self, count):
        self.wait(lambda: len(self.account.runs) >= count, 60, f"{count} jobs have begun")

    def living(self):
        return [worker for worker in self.workers if worker.expected]

    def wait_until_right(self):
        """Until all jobs have ended, also for the store, and all workers work; or until that is hopeless, or the limit."""
        until = self.end / 1e9 + LIMIT
        nothing_since = None
        while time.monotonic() < until:
            pause(1)
            self.refresh()
            self.keep_up()
            ended = self.account.ended()
            if self.system.left(self.server):
                nothing_since = None
                continue
            if all(job in ended for job in self.pushed):
                if self.fault == "none" or all(self.back(worker) is not None for worker in self.living()):
                    return
                self.push(40)  # something to do for who is not back yet
            elif nothing_since is None:
                nothing_since = time.monotonic()
            elif time.monotonic() - nothing_since > 15:
                return  # what is in no store does not come back

    def back(self, worker):
        return self.account.back(worker.pid, self.end)

    def stop_workers(self):
        for worker in self.living():
            worker.stop(35)
        self.refresh()

    def result(self):
        """What is told of it; see report.py."""
        held = self.account.held(self.victim.pid, self.at) if self.fault in ("killed", "frozen", "blocked") else []
        ended = self.account.ended()
        living = [self.victim] if self.fault in ("frozen", "blocked") else [
            worker for worker in self.workers if worker is not self.victim or self.fault not in ("killed", "stopped")]
        back = [self.back(worker) for worker in living]
        return {
            "system": self.system.name, "fault": self.fault, "pushed": len(self.pushed),
            "lost": len(what_is_lost(self.pushed, ended, self.left)),
            "waiting": len([job for job in self.pushed if job not in ended and job in self.left]),
            "twice": len(self.account.twice()),
            "held": len(held), "again": [round(each, 3) for each in self.account.again(held, self.at)],
            "goes_on": None if None in back else round(max(back), 3),
            "stopped_after": self.stopped_after and round(self.stopped_after, 3),
            "restarts": self.restarts, "left": dict(Counter(self.left.values())), "keys": self.keys,
        }
