#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs many jobs in one process, for `coworker work QUEUE --lines -- python3 lines.py`.

Standard output is for answers only: one flushed line each. Everything else goes to standard error.
"""
import json, sys

def handle(job):  # your work; it may run twice, so let that do no harm
    print("hello", job["payload"]["to"], file=sys.stderr, flush=True)
    return {"greeted": job["payload"]["to"]}

for line in sys.stdin:
    job = json.loads(line)
    try:
        answer = {"outcome": "success", "result": handle(job)}
    except Exception as error:
        answer = {"outcome": "retry", "message": repr(error)}
    print(json.dumps({"id": job["id"], **answer}), flush=True)
