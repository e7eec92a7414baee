# SPDX-License-Identifier: MIT
"""What came of the scenes: a line for each, tables, a picture."""
from xml.sax.saxutils import escape

from account import percentile
from scene import FAULTS, LIMIT
from systems import OWN, PEERS_OF_COWORKER

SYSTEMS = {each.name: each for each in OWN + PEERS_OF_COWORKER}


def seconds(value, digits=1):
    return f"not in {LIMIT} s" if value is None else f"{value:.{digits}f} s"


def states(left):
    return ", ".join(f"{count} {state}" for state, count in sorted(left.items()))


def in_words(result):
    told = [f"{result['pushed']} jobs", f"{result['lost']} lost", f"{result['twice']} run twice"]
    if result["held"]:
        again = result["again"]
        told.append(f"{len(again)} of {result['held']} began again" + (f" after {again[0]} to {again[-1]} s" if again else ""))
    if result["fault"] != "none":
        told.append(f"goes on: {seconds(result['goes_on'], 3)}")
    if result["fault"] == "stopped":
        told.append(f"stopped: {seconds(result['stopped_after'], 3)}")
    if result["restarts"]:
        told.append(f"{result['restarts']} workers ended by themselves")
    return ", ".join(told) + (f", left: {states(result['left'])}" if result["left"] else "")


class Told:
    """The scenes of a run, by system and fault."""

    def __init__(self, told):
        self.scenes = told["scenes"]
        self.systems = [name for name in SYSTEMS if any(each["system"] == name for each in self.scenes)]
        self.faults = [fault for fault in FAULTS if fault != "none" and any(each["fault"] == fault for each in self.scenes)]

    def of(self, system, fault):
        return [each for each in self.scenes if each["system"] == system and each["fault"] == fault]

    def sum(self, system, fault, what):
        found = self.of(system, fault)
        return sum(each[what] for each in found) if found else None

    def again(self, system, fault):
        """When the jobs began again that the worker had held, and how many of them did not."""
        samples = [sample for each in self.of(system, fault) for sample in each["again"]]
        return samples, sum(each["held"] for each in self.of(system, fault)) - len(samples)

    def worst(self, system, fault, what):
        values = [each[what] for each in self.of(system, fault)]
        return None if None in values else max(values)


def table(head, rows):
    aligned = [" --- |" if not name or name == "documented" else " --: |" for name in head]
    lines = ["| " + " | ".join(head) + " |", "|" + "".join(aligned)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def counts(told):
    """Lost and run twice, for each fault."""
    def cell(system, fault):
        if not told.of(system, fault):
            return ""
        lost, twice, waiting = (told.sum(system, fault, what) for what in ("lost", "twice", "waiting"))
        return f"{f'**{lost}**' if lost else 0}, {twice}" + (f" ({waiting} wait)" if waiting else "")
    return table([""] + told.faults + ["documented"],
                 [[SYSTEMS[name].title] + [cell(name, fault) for fault in told.faults] + [SYSTEMS[name].promise]
                  for name in told.systems]) if told.faults else ""


def share(told, system, fault, part):
    samples, never = told.again(system, fault)
    samples = samples + [None] * never
    if not samples:
        return ""
    ordered = sorted(samples, key=lambda sample: float("inf") if sample is None else sample)
    at = percentile(range(len(ordered)), part)
    if ordered[at] is None and fault == "frozen":
        return "not meanwhile"
    if ordered[at] is None:
        return "lost" if told.sum(system, fault, "lost") else f"not in {LIMIT} s"
    return seconds(ordered[at])


def again(told):
    """When the jobs of a killed or a frozen worker run again, beside what the system documents."""
    rows = [[SYSTEMS[name].title, share(told, name, "killed", 0.5), share(told, name, "killed", 0.99),
             share(told, name, "frozen", 0.5), SYSTEMS[name].limit] for name in told.systems]
    return table(["", "killed, p50", "p99", "frozen, p50", "documented"], rows) if any(any(row[1:4]) for row in rows) else ""


def times(told):
    """How long it takes until all workers work again."""
    faults = [fault for fault in ("cut", "restarted", "away", "blocked", "frozen", "stopped") if fault in told.faults]
    def cell(system, fault):
        if not told.of(system, fault):
            return ""
        ended = "\\*" if told.sum(system, fault, "restarts") else ""
        return seconds(told.worst(system, fault, "stopped_after" if fault == "stopped" else "goes_on")) + ended
    rows = [[SYSTEMS[name].title] + [cell(name, fault) for fault in faults] for name in told.systems]
    return table([""] + faults, rows) if faults else ""


def left_behind(told):
    """What is in the store in the end: jobs, and keys that do not expire and are not there when nothing happens."""
    def cell(system, fault):
        usual = {key for each in told.of(system, "none") for key in each["keys"]}
        jobs = {states(each["left"]) for each in told.of(system, fault) if each["left"]}
        keys = {f"`{key}`" for each in told.of(system, fault) for key in each["keys"] if key not in usual} if usual else set()
        return "; ".join(sorted(jobs) + sorted(keys))
    rows = [[SYSTEMS[name].title] + [cell(name, fault) for fault in told.faults] for name in told.systems]
    return table([""] + told.faults, [row for row in rows if any(row[1:])]) if any(any(row[1:]) for row in rows) else ""


def tables(told):
    one = Told(told)
    parts = [("lost, run twice", counts(one)), ("until the jobs of a killed or frozen worker run again", again(one)),
             ("until all workers work again, or the stopped one has ended; \\*: workers ended by themselves", times(one)),
             ("left behind", left_behind(one))]
    versions = ", ".join(f"{name} {version}" for name, version in told["versions"].items())
    return "\n".join(f"{title}:\n\n{text}" for title, text in parts if text) + f"\n{told['date']}; {versions}"


# --- the picture ------------------------------------------------------------------

LABEL, BAR, ROW, HEAD = 180, 410, 22, 40


def picture(told):
    one = Told(told)
    panels = [
        ("Until half of a killed worker's jobs run again, in s (less is better)", lambda name: median_again(one, name)),
        (f"Jobs lost, or still waiting {LIMIT} s after the fault", lambda name: not_run(one, name)),
        ("Jobs run twice to the end of their handler", lambda name: in_digits(total(one, name, "twice"))),
    ]
    height = HEAD + len(one.systems) * ROW
    parts = [panel(title, [(name, *value(name)) for name in one.systems], number * height)
             for number, (title, value) in enumerate(panels)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height * len(panels) + 10}" '
            'font-family="sans-serif" font-size="12">\n<title>coworker and other queues of jobs under the same faults</title>\n'
            "<style>text{fill:#24292f}rect{fill:#8c959f}.own{fill:#0969da}.title{font-weight:bold}.name{text-anchor:end}"
            "@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#6e7681}.own{fill:#4493f8}}</style>\n"
            + "".join(parts) + "</svg>\n")


def median_again(told, name):
    text = share(told, name, "killed", 0.5)
    samples, _ = told.again(name, "killed")
    return (LIMIT if text in ("lost", f"not in {LIMIT} s") else percentile(samples, 0.5) or 0), text


def not_run(told, name):
    lost, waiting = total(told, name, "lost"), total(told, name, "waiting")
    words = [f"{count} {what}" for count, what in ((lost, "lost"), (waiting, "waiting")) if count]
    return lost + waiting, ", ".join(words) or "0"


def in_digits(value):
    return value, str(value)


def total(told, name, what):
    return sum(told.sum(name, fault, what) or 0 for fault in told.faults)


def panel(title, rows, top):
    largest = max((value for _, value, _ in rows), default=0)
    lines = [f'<text class="title" x="10" y="{top + 24}">{escape(title)}</text>\n']
    for number, (name, value, text) in enumerate(rows):
        y = top + HEAD + number * ROW
        width = max(1, round(value / largest * BAR)) if largest else 1
        own = ' class="own"' if SYSTEMS[name].own else ""
        lines.append(f'<text class="name" x="{LABEL - 8}" y="{y + 13}">{escape(SYSTEMS[name].title)}</text>'
                     f'<rect{own} x="{LABEL}" y="{y}" width="{width}" height="16"/>'
                     f'<text x="{LABEL + width + 6}" y="{y + 13}">{escape(text)}</text>\n')
    return "".join(lines)
