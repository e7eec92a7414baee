#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A worker in Python, with the standard library only: runs jobs of a queue of coworker's HTTP gateway.

    worker.py http://localhost:8080/v1/queues/managed:mail [how many jobs to run; default: for ever]
"""
import json, os, signal, socket, sys, threading, time, urllib.error, urllib.request

queue, left = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
name = f"{socket.gethostname()}-{os.getpid()}"
headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("COWORKER_TOKEN", "")}

def post(what, body):
    request = urllib.request.Request(f"{queue}/{what}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.load(answer)

def handle(job):  # your work; it may run twice, so let that do no harm
    time.sleep(job["payload"].get("seconds", 0))
    print("hello", job["payload"]["to"], flush=True)

def renew_until(ended, job):  # the lease ends if this is not done in time: then another worker gets the job
    while not ended.wait(job["lease_seconds"] / 3):
        try:
            job.update(post("renew", {"token": job["token"]}))
        except urllib.error.HTTPError as error:
            if error.code == 409:
                return print("lost", job["id"], file=sys.stderr)  # handle() goes on in vain
        except OSError:
            pass  # tried again, as long as the lease lasts

signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
try:
    while left > 0:
        for job in post("take", {"worker": name, "wait": "20s"})["jobs"]:
            ended = threading.Event()
            renewing = threading.Thread(target=renew_until, args=(ended, job), daemon=True)
            renewing.start()
            try:
                handle(job)
                outcome = {"outcome": "success"}
            except KeyboardInterrupt:  # Ctrl-C: the job runs again at once, elsewhere
                outcome, left = {"outcome": "release"}, 0
            except Exception as error:
                outcome = {"outcome": "retry", "message": repr(error)}
            ended.set()
            renewing.join()  # a renewal that is under way brings the token that is valid then
            try:
                post("acknowledge", {"token": job["token"], **outcome})
            except urllib.error.HTTPError as error:
                print(job["id"], error.read().decode(), file=sys.stderr)
            left -= 1
except KeyboardInterrupt:
    pass  # no job runs
