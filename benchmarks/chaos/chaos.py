# SPDX-License-Identifier: MIT
"""Breaks what coworker and other queues of jobs stand on, and counts what becomes of the jobs. Each scene has a system with a
store of its own, two workers and a fault. Scenes run side by side, as they wait for most of their time. The exit status is 1
if a scene could not be played, or if a job of coworker's was lost or did not run."""
import argparse, concurrent.futures, json, os, random, shutil, signal, sys, tempfile, threading, time, traceback

import report
from scene import FAULTS, Scene
from servers import stopping
from systems import OWN, PEERS_OF_COWORKER

ROUNDS = {"killed": 5, "cut": 2, "restarted": 2, "away": 2}  # how often a scene is played, if not once


def listed(title, rows):
    return f"{title}:\n" + "".join(f"  {name:16} {what}\n" for name, what in rows)


def arguments():
    everything = OWN + PEERS_OF_COWORKER
    parser = argparse.ArgumentParser(
        prog="scripts/chaos", formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__,
        usage="%(prog)s [--peers] [--only SYSTEM]... [--fault FAULT]... [--json FILE] [--picture FILE] [--from FILE]",
        epilog=listed("systems", [(kind.name, kind.title) for kind in everything]) + "\n" + listed("faults", FAULTS.items()))
    parser.add_argument("--peers", action="store_true", help="other systems as well, which it installs")
    parser.add_argument("--only", action="append", metavar="SYSTEM", choices=[kind.name for kind in everything],
                        help="this system; may be given several times")
    parser.add_argument("--fault", action="append", choices=FAULTS, metavar="FAULT",
                        help="this fault; may be given several times")
    parser.add_argument("--json", metavar="FILE", help="write the result of each scene into FILE")
    parser.add_argument("--picture", metavar="FILE", help="draw the results into FILE, an SVG")
    parser.add_argument("--from", dest="source", metavar="FILE", help="run nothing: read the results from FILE of --json")
    parser.add_argument("--parallel", type=int, default=16, metavar="N", help="scenes at the same time; 16 by default")
    parser.add_argument("--rounds", type=int, metavar="N", help="how often each scene is played; by default once, but "
                        + ", ".join(f"{name} {times} times" for name, times in ROUNDS.items()))
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)  # where coworker is built
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)  # only what is asked for
    asked = parser.parse_args()
    if asked.parallel < 1 or (asked.rounds is not None and asked.rounds < 1):
        parser.error("--parallel and --rounds are at least 1")
    names = [kind.name for kind in kinds_of(asked)]
    for name in asked.only or []:
        if name not in names:
            parser.error(f"{name} is among the others: --peers --only {name}")
    for file in filter(None, (asked.json, asked.picture)):
        if os.path.isdir(file) or not os.access(os.path.dirname(file) or ".", os.W_OK):
            parser.error(f"cannot write {file}")
    return asked


def kinds_of(asked):
    return OWN + PEERS_OF_COWORKER if asked.peers else OWN


def say(text):
    print(f"chaos: {text}", file=sys.stderr, flush=True)


def chosen_systems(asked):
    systems = [kind(asked.build) for kind in kinds_of(asked) if not asked.only or kind.name in asked.only]
    usable = []
    for system in systems:
        if missing := system.missing():
            say(f"{system.name} is left out: there is no {missing}")
        else:
            usable.append(system)
    return usable


class Play:
    """All scenes, some at a time."""

    def __init__(self, folder):
        self.folder, self.results, self.failures = folder, [], 0
        self.lock, self.begun, self.done, self.total = threading.Lock(), time.monotonic(), 0, 0

    def run(self, scenes, parallel):
        self.total = len(scenes)
        with concurrent.futures.ThreadPoolExecutor(parallel) as pool:
            for number, (system, fault) in enumerate(scenes):
                pool.submit(self.run_scene, system, fault, os.path.join(self.folder, str(number)))

    def run_scene(self, system, fault, folder):
        if stopping.is_set():
            return
        try:
            result = Scene(system, fault, folder).run()
            told = report.in_words(result)
        except Exception as error:  # one scene keeps no other from being played
            result, told = None, f"{error}; see {folder}"
            if not isinstance(error, (TimeoutError, RuntimeError)):
                traceback.print_exc()
        with self.lock:
            self.done += 1
            say(f"{self.done} of {self.total} after {time.monotonic() - self.begun:.0f} s: {system.name}, {fault}: {told}")
            if result:
                self.results.append(result)
                if not os.environ.get("CHAOS_KEEP"):
                    shutil.rmtree(folder)
            else:
                self.failures += 1


def play(asked):
    systems = chosen_systems(asked)
    faults = asked.fault or list(FAULTS)
    scenes = [(system, fault) for fault in faults for system in systems for _ in range(asked.rounds or ROUNDS.get(fault, 1))]
    random.shuffle(scenes)  # else all that wait for long would wait together
    folder = tempfile.mkdtemp(prefix="chaos")
    os.chmod(folder, 0o755)  # PostgreSQL runs as a user of its own
    say(f"{len(scenes)} scenes, {asked.parallel} at a time, in {folder}")
    one = Play(folder)
    one.run(scenes, asked.parallel)
    if not one.failures and not os.environ.get("CHAOS_KEEP"):
        shutil.rmtree(folder)
    if stopping.is_set():
        sys.exit("chaos: told to stop")
    versions = {system.name: system.version() for system in systems}
    return {"date": time.strftime("%Y-%m-%d"), "versions": versions, "scenes": one.results}, one.failures


def main():
    asked = arguments()
    if asked.check:
        return 0
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda *_: stopping.set())  # scenes end what they started
    if asked.source:
        try:
            with open(asked.source, encoding="utf-8") as file:
                told, failures = json.load(file), 0
        except (OSError, ValueError) as error:
            sys.exit(f"chaos: cannot read results of --json: {error}")
    else:
        told, failures = play(asked)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1)
            file.write("\n")
    print(report.tables(told))
    if asked.picture:
        with open(asked.picture, "w", encoding="utf-8") as file:
            file.write(report.picture(told))
    return 1 if failures or any(is_broken(scene) for scene in told["scenes"]) else 0


def is_broken(scene):
    return scene["system"] in [kind.name for kind in OWN] and (scene["lost"] or scene["waiting"])


if __name__ == "__main__":
    sys.exit(main())
