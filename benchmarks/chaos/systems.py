# SPDX-License-Identifier: MIT
"""The systems: how each is started with the settings that it recommends, and where its jobs are in its store."""
import json, os, re, shutil, subprocess, sys

from servers import HERE, Beanstalkd, Gateway, Postgres, Redis

ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS = os.path.join(ROOT, "build", "peers")
CONCURRENCY = 10  # of each worker


class System:
    """A system whose driver understands
           DRIVER work URL RECORD CONCURRENCY    until SIGTERM, at which it stops gracefully
           DRIVER push URL                       each line of the input is a job {"id", "ms", "block"}
       A job's handler writes `began`, blocks its thread or loop for `block` ms in the first run of all, waits for `ms` and
       writes `ended`: lines of account.py, each in one write to the end of RECORD."""

    store = Redis
    own = False
    promise, limit = "", ""  # what it documents, with a link: how often a job runs, when a lost worker's jobs run again
    checks = 0  # how many seconds pass between its looks for lost jobs, where that is long
    states = {}  # keys of Redis with jobs, and what it means to be there

    def __init__(self, build):
        self.build = build

    def driver(self):
        raise NotImplementedError

    def server(self, folder):
        return self.store(folder)

    def front(self, folder, server):
        """What workers connect to, if that is not the store."""
        return None

    def url(self, port):
        tail = "postgres@127.0.0.1:%d/postgres" if self.store is Postgres else "127.0.0.1:%d"
        return f"{self.store.scheme}://{tail % port}"

    def work(self, url, record):
        """Command and further environment of a worker."""
        return self.driver() + ["work", url, record, str(CONCURRENCY)], {}

    def push(self, url, jobs):
        lines = "".join(json.dumps(job) + "\n" for job in jobs)
        told = subprocess.run(self.driver() + ["push", url], input=lines, text=True, capture_output=True, timeout=60)
        if told.returncode != 0:
            raise RuntimeError(f"{self.name}: push failed: {told.stderr}")

    def left(self, server):
        """The jobs in the store that have not ended there, each with its state."""
        found = {}
        for key, state in self.states.items():
            for text in server.members(key):
                found[self.number(text)] = state
        return found

    @staticmethod
    def number(text):
        """The job's number, by its id or by its payload."""
        match = re.fullmatch(r"(?:job-)?(\d+)", text) or re.search(r'\\?"id\\?": ?(\d+)', text)
        if not match:
            raise ValueError(f"no number of a job: {text}")
        return int(match[1])

    def version(self):
        raise NotImplementedError

    def missing(self):
        """What has to be there for it and is not; None if nothing."""
        programs = [self.driver()[0], self.work("", "")[0][0], self.store.program]
        files = [word for word in self.driver() if word.startswith("/")]
        return next((one for one in programs if not shutil.which(one)), None) or next(
            (one for one in files if not os.path.exists(one)), None)


class Coworker(System):
    own = True

    def driver(self):
        return [os.path.join(self.build, "test", "chaos", "coworker-chaos-worker"), self.kind]

    def version(self):
        told = subprocess.run([self.program(), "--version"], capture_output=True, text=True)
        return told.stdout.split()[-1]

    def program(self):
        return os.path.join(self.build, "src", "program", "coworker")


class List(Coworker):
    name, title, kind = "list", "coworker, list queue", "list"
    promise = "[at least once](guarantees.md)"
    limit = "[about 2 s; a frozen one's when its lease of 2 min ends](guarantees.md)"
    states = {"hworker-jobs-chaos": "waiting", "hworker-progress-chaos": "running",
              "hworker-scheduled-chaos": "scheduled", "hworker-failed-chaos": "failed", "hworker-broken-chaos": "failed"}


class Managed(Coworker):
    name, title, kind = "managed", "coworker, managed queue", "managed"
    promise = "[at least once](guarantees.md)"
    limit = "[about 2 s; a frozen one's after 60 to 70 s](guarantees.md)"

    def left(self, server):
        found = {}
        for key in server.keys():
            if match := re.fullmatch(r"ql:j:(\d+)", key):
                state = server.ask("HGET", key, "state")
                if state != "complete":
                    found[int(match[1])] = state
        return found


class Remote(Managed):
    name, title = "http", "coworker over HTTP"
    promise = "[at least once](remote-workers.md#what-holds)"
    limit = "[when the lease ends, after 60 to 70 s](remote-workers.md)"

    def front(self, folder, server):
        return Gateway(folder, self.program(), server)

    def driver(self):
        return [sys.executable, os.path.join(HERE, "remote.py")]

    def url(self, port):
        return f"http://127.0.0.1:{port}"


class Npm(System):
    """A package that is installed beside its driver."""

    def driver(self):
        return ["node", os.path.join(PEERS, "chaos", f"{self.name}.js")]

    def package(self):
        return os.path.join(PEERS, "node_modules", self.name, "package.json")

    def version(self):
        with open(self.package(), encoding="utf-8") as file:
            return json.load(file)["version"]

    def missing(self):
        return super().missing() or (None if os.path.exists(self.package()) else self.package())


class BullMq(Npm):
    name, title, checks = "bullmq", "BullMQ", 30
    promise = "[once; in the worst case at least once](https://docs.bullmq.io)"
    limit = "[a check each 30 s, for locks of 30 s](https://docs.bullmq.io/guide/jobs/stalled)"
    states = {"bull:chaos:wait": "waiting", "bull:chaos:active": "active", "bull:chaos:delayed": "delayed",
              "bull:chaos:prioritized": "waiting", "bull:chaos:failed": "failed"}


class BeeQueue(Npm):
    name, title, checks = "bee-queue", "bee-queue", 5
    promise = "[at least once](https://github.com/bee-queue/bee-queue)"
    limit = "[5 to 10 s with these settings](https://github.com/bee-queue/bee-queue#stalling-jobs)"
    states = {"bq:chaos:waiting": "waiting", "bq:chaos:active": "active", "bq:chaos:delayed": "delayed",
              "bq:chaos:failed": "failed"}


class Sidekiq(System):
    name, title = "sidekiq", "Sidekiq"
    promise = "[a crashed process loses its jobs](https://github.com/mperham/sidekiq/wiki/Reliability)"
    limit = "[are lost; Pro's `super_fetch` keeps them](https://github.com/mperham/sidekiq/wiki/Reliability)"
    states = {"queue:chaos": "waiting", "retry": "retry", "schedule": "scheduled", "dead": "failed"}

    def driver(self):
        return ["ruby", os.path.join(HERE, "sidekiq.rb")]

    def work(self, url, record):
        command = ["sidekiq", "-r", os.path.join(HERE, "sidekiq.rb"), "-q", "chaos", "-c", str(CONCURRENCY)]
        return command, {"CHAOS_URL": url, "CHAOS_RECORD": record}

    def version(self):
        return subprocess.run(["sidekiq", "--version"], capture_output=True, text=True).stdout.split()[-1]


class Asynq(System):
    name, title, checks = "asynq", "asynq (stand-in)", 60
    promise = "[at least once](https://github.com/hibiken/asynq)"
    limit = ("[a check each minute, for leases of 30 s that ended 30 s ago]"
             "(https://github.com/hibiken/asynq/blob/master/recoverer.go); then the delay of a retry, 15 to 44 s")
    states = {"asynq:{default}:pending": "waiting", "asynq:{default}:active": "active", "asynq:{default}:retry": "retry"}

    def driver(self):
        return [os.path.join(PEERS, "chaos", "asynq")]

    def version(self):
        return "0.25's times"


class BeanstalkdSystem(System):
    name, title, store = "beanstalkd", "beanstalkd", Beanstalkd
    protocol = "https://raw.githubusercontent.com/beanstalkd/beanstalkd/master/doc/protocol.txt"
    promise = f"[again when the connection closes]({protocol})"
    limit = f"[when the connection closes, or the time to run ends]({protocol})"

    def driver(self):
        return [sys.executable, os.path.join(HERE, "beanstalkd.py")]

    def left(self, server):
        told = subprocess.run(self.driver() + ["left", self.url(server.port)], capture_output=True, text=True, timeout=20)
        if told.returncode != 0:
            raise RuntimeError(f"beanstalkd: {told.stderr}")
        return {int(number): state for number, state in json.loads(told.stdout).items()}

    def version(self):
        return subprocess.run(["beanstalkd", "-v"], capture_output=True, text=True).stdout.split()[-1]


class GraphileWorker(Npm):
    name, title, store = "graphile-worker", "graphile-worker", Postgres
    promise = "[again when a lock is 4 hours old](https://worker.graphile.org/docs/error-handling)"
    limit = "[after 4 hours](https://worker.graphile.org/docs/error-handling)"

    def left(self, server):
        rows = server.query("select payload->>'id', case when locked_at is not null then 'locked' when attempts > 0 then "
                            "'retry' else 'waiting' end from graphile_worker._private_jobs")
        return {int(number): state for number, state in rows}


OWN = [List, Managed, Remote]
PEERS_OF_COWORKER = [BullMq, BeeQueue, Sidekiq, Asynq, BeanstalkdSystem, GraphileWorker]
