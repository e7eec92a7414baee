# SPDX-License-Identifier: MIT
"""The servers that the systems need, each private: in a folder of its own, on a port of the loopback device that was free."""
import os, re, shutil, signal, socket, struct, subprocess, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 30  # seconds for a server that starts or stops
LEASH = ["setpriv", "--pdeathsig", "KILL"]  # what is run so ends with this process, whatever ends that
stopping = threading.Event()  # whoever runs this wants it to end


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def pause(seconds):
    if stopping.wait(seconds):
        raise RuntimeError("told to stop")


def wait_until(what, seconds, why):
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            raise TimeoutError(f"waited {seconds} s in vain: {why}")
        pause(0.02)


class Server:
    """A process that can be killed, stopped and started again with what it stored."""

    stops_at, killed_by = signal.SIGTERM, signal.SIGKILL

    def lasting(self):
        return []

    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None
        os.makedirs(folder, exist_ok=True)

    def start(self):
        log = open(os.path.join(self.folder, "server.log"), "ab")
        self.process = subprocess.Popen(LEASH + self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                        cwd=self.folder)
        log.close()
        wait_until(self.is_up, PATIENCE, f"{self.command()[0]} starts")

    def is_up(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.command()[0]} ended with {self.process.returncode}: see {self.folder}/server.log")
        try:
            return self.answers()
        except (OSError, ValueError):
            return False

    def answers(self):
        with socket.create_connection(("127.0.0.1", self.port), 2):
            return True

    def end(self, by):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(by)
            self.process.wait(PATIENCE)

    def stop(self):
        self.end(self.stops_at)

    def kill(self):
        self.end(self.killed_by)


class Redis(Server):
    scheme = "redis"
    program = "redis-server" if shutil.which("redis-server") else "valkey-server"

    def command(self):
        return [self.program, "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self.folder, "--save", "",
                "--appendonly", "yes", "--appendfsync", "everysec", "--maxmemory-policy", "noeviction"]

    def answers(self):
        return self.ask("PING") == "PONG"

    def ask(self, *words):
        """The reply to a command, in one connection for each: strings, numbers, lists, None."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            texts = [str(word).encode() for word in words]
            connection.sendall(b"*%d\r\n" % len(texts) + b"".join(b"$%d\r\n%s\r\n" % (len(text), text) for text in texts))
            with connection.makefile("rb") as replies:
                return self.read(replies)

    def read(self, replies):
        line = replies.readline()[:-2].decode()
        kind, rest = line[:1], line[1:]
        if kind == "+":
            return rest
        if kind == ":":
            return int(rest)
        if kind == "$":
            return None if rest == "-1" else replies.read(int(rest) + 2)[:-2].decode(errors="replace")
        if kind == "*":
            return [self.read(replies) for _ in range(int(rest))]
        raise ValueError(line)

    def keys(self):
        return self.ask("KEYS", "*")

    def lasting(self):
        """What the names of keys have in common that do not expire."""
        keys = self.ask("EVAL", "local found = {} for _, key in ipairs(redis.call('KEYS', '*')) do "
                                "if redis.call('TTL', key) == -1 then found[#found + 1] = key end end return found", 0)
        return sorted({re.sub(r"[0-9a-f-]{6,}|[0-9]+", "*", key) for key in keys})

    def members(self, key):
        """What is in a list, a set, a sorted set; of a hash the names."""
        commands = {"list": ("LRANGE", key, 0, -1), "zset": ("ZRANGE", key, 0, -1),
                    "set": ("SMEMBERS", key), "hash": ("HKEYS", key)}
        kind = self.ask("TYPE", key)
        return self.ask(*commands[kind]) if kind in commands else []


class Beanstalkd(Server):
    scheme, program = "tcp", "beanstalkd"

    def command(self):
        return [self.program, "-l", "127.0.0.1", "-p", str(self.port), "-b", self.folder]


class Postgres(Server):
    scheme, program = "postgres", "psql"
    stops_at, killed_by = signal.SIGINT, signal.SIGQUIT  # SIGKILL would leave processes of its own behind

    def command(self):
        return [os.path.join(HERE, "..", "peers", "postgres"), self.folder, str(self.port)]

    def answers(self):
        return self.query("select 1") == [["1"]]

    def query(self, text):
        told = subprocess.run(["psql", "-XAtqc", text, f"postgres://postgres@127.0.0.1:{self.port}/postgres"],
                              capture_output=True, text=True, timeout=10)
        if told.returncode != 0:
            raise ValueError(told.stderr)
        return [line.split("|") for line in told.stdout.splitlines()]


class Gateway(Server):
    """coworker's, between the workers and Redis."""

    scheme = "http"

    def __init__(self, folder, program, redis):
        super().__init__(folder)
        self.program, self.redis = program, redis

    def command(self):
        redis = f"redis://127.0.0.1:{self.redis.port}"
        return [self.program, "gateway", "--redis", redis, "--listen", f"127.0.0.1:{self.port}"]


class Wire:
    """Passes on what is sent to a port, until it is cut: then all connections are reset, and new ones are accepted."""

    def __init__(self, to):
        self.to, self.open, self.lock = to, [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                return
            with self.lock:
                self.open += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.pass_on, args=(one, other), daemon=True).start()

    @staticmethod
    def pass_on(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        with self.lock:
            cut, self.open = self.open, []
        for one in cut:
            try:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def close(self):
        self.listener.close()
        self.cut()
