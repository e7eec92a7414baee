# SPDX-License-Identifier: MIT
"""What the lines of a record say: how often each job ran, and when. Times are nanoseconds of the monotonic clock."""
from collections import Counter, defaultdict
from dataclasses import dataclass
import math


@dataclass
class Run:
    job: int
    worker: int
    began: int
    ended: int | None = None


class Account:
    """Reads `NANOSECONDS PROCESS ready|began|ended JOB` as workers write it. A run that was killed has no end."""

    def __init__(self):
        self.runs = []
        self.ready = set()
        self._open = defaultdict(list)

    def add(self, line):
        time, worker, what, job = line.split()
        time, worker = int(time), int(worker)
        if what == "ready":
            self.ready.add(worker)
        elif what == "began":
            run = Run(int(job), worker, time)
            self.runs.append(run)
            self._open[worker, run.job].append(run)
        elif what == "ended":
            self._open[worker, int(job)].pop(0).ended = time
        else:
            raise ValueError(f"not a line of a record: {line}")

    def ended(self):
        """How often each job that has ended did so."""
        return Counter(run.job for run in self.runs if run.ended is not None)

    def twice(self):
        """Jobs whose handler came to its end more than once."""
        return sorted(job for job, count in self.ended().items() if count > 1)

    def held(self, worker, at):
        """Runs of a worker that had begun and not ended at a time."""
        return [run for run in self.runs if run.worker == worker and run.began <= at and not (run.ended and run.ended <= at)]

    def again(self, held, at):
        """For each of these runs whose job began again elsewhere: how long after a time, in seconds."""
        first = {}
        workers = {run.worker for run in held}
        jobs = {run.job for run in held}
        for run in self.runs:
            if run.job in jobs and run.worker not in workers and run.began > at and run.job not in first:
                first[run.job] = (run.began - at) / 1e9
        return sorted(first.values())

    def back(self, worker, at):
        """How long after a time a worker began a job, in seconds; None: it has not."""
        later = [run.began for run in self.runs if run.worker == worker and run.began > at]
        return (min(later) - at) / 1e9 if later else None


def percentile(samples, share):
    """The smallest sample that is not below this share of all; None without samples."""
    samples = sorted(samples)
    return samples[max(0, math.ceil(share * len(samples)) - 1)] if samples else None


def what_is_lost(pushed, ended, left):
    """Jobs that were pushed, have not ended, and are nowhere in the store."""
    return sorted(set(pushed) - set(ended) - set(left))
