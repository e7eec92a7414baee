#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A receiver of notices in Python, with the standard library only.

    COWORKER_WEBHOOK_SECRET=whsec_... receiver.py [port]
"""
import base64, hashlib, hmac, http.server, json, os, sys, time

secrets = [base64.b64decode(each.removeprefix("whsec_")) for each in os.environ["COWORKER_WEBHOOK_SECRET"].split()]
known = {}  # ids of notices, which come at least once; in a database if this program is restarted

def is_signed(headers, body):
    moment = headers["webhook-timestamp"]
    if abs(time.time() - int(moment)) > 300:
        return False
    text = f"{headers['webhook-id']}.{moment}.".encode() + body
    wanted = ["v1," + base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode() for key in secrets]
    given = headers["webhook-signature"].split()
    return any([hmac.compare_digest(one, other) for one in wanted for other in given])

def handle(notice):  # your work: open a ticket, call somebody
    print(notice["type"], json.dumps(notice["data"]), flush=True)

class receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), 1 << 20))
        try:
            status = 204 if is_signed(self.headers, body) else 401
        except (KeyError, TypeError, ValueError, AttributeError):
            status = 400
        if status == 204 and self.headers["webhook-id"] not in known:
            handle(json.loads(body))  # where this fails, there is no answer, and the notice comes again
            known[self.headers["webhook-id"]] = time.time()
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8000), receiver)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
