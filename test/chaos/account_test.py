# SPDX-License-Identifier: MIT
"""How scripts/chaos accounts for jobs: account_test.py FOLDER, where it is."""
import sys, unittest

sys.path.insert(0, sys.argv.pop(1))
import chaos, report
from account import Account, percentile, what_is_lost
from systems import System

# Two workers, 7 and 8. Number 7 is killed at 50 with jobs 1 and 2; job 1 runs again, and job 3 runs twice.
LINES = """5 7 ready -
6 8 ready -
10 7 began 1
12 7 began 2
15 7 began 3
20 8 began 4
30 7 ended 3
40 8 ended 4
55 8 began 3
60 8 ended 3
70 8 began 1
90 8 ended 1"""


def read(lines):
    account = Account()
    for line in lines.splitlines():
        account.add(line)
    return account


class AccountTest(unittest.TestCase):
    def setUp(self):
        self.account = read(LINES)

    def test_workers_are_ready(self):
        self.assertEqual(self.account.ready, {7, 8})

    def test_a_job_is_lost_that_has_not_ended_and_is_in_no_store(self):
        ended = self.account.ended()
        self.assertEqual(what_is_lost([1, 2, 3, 4, 5], ended, {5: "waiting"}), [2])
        self.assertEqual(what_is_lost([1, 2, 3, 4, 5], ended, {}), [2, 5])

    def test_a_job_ran_twice_whose_handler_ended_twice(self):
        self.assertEqual(self.account.twice(), [3])

    def test_a_worker_holds_what_it_began_and_did_not_end(self):
        self.assertEqual([run.job for run in self.account.held(7, 50)], [1, 2])
        self.assertEqual([run.job for run in self.account.held(7, 25)], [1, 2, 3])

    def test_what_a_worker_held_begins_again_elsewhere(self):
        self.assertEqual(self.account.again(self.account.held(7, 50), 50), [20e-9])

    def test_a_worker_is_back_with_its_next_job(self):
        self.assertEqual(self.account.back(8, 55), 15e-9)
        self.assertIsNone(self.account.back(7, 50))

    def test_two_runs_in_one_worker_are_two(self):
        account = read("1 7 began 1\n2 7 ended 1\n3 7 began 1\n4 7 ended 1")
        self.assertEqual(account.twice(), [1])

    def test_a_line_of_another_kind_is_refused(self):
        with self.assertRaises(ValueError):
            read("1 7 sang 1")


class ReportTest(unittest.TestCase):
    def test_percentiles_are_samples(self):
        self.assertEqual(percentile([3, 1, 2], 0.5), 2)
        self.assertEqual(percentile(range(1, 101), 0.99), 99)
        self.assertIsNone(percentile([], 0.5))

    def test_numbers_of_jobs_are_found_in_ids_and_payloads(self):
        for text in ("17", "job-17", '{"id":17,"ms":1}', '{"args":[{"id": 17}]}', '["a","{\\"id\\":17}"]'):
            self.assertEqual(System.number(text), 17)
        with self.assertRaises(ValueError):
            System.number("none")

    def test_what_did_not_run_again_counts_in_percentiles(self):
        scene = {"system": "list", "fault": "killed", "pushed": 9, "lost": 1, "waiting": 0, "twice": 0, "held": 3,
                 "again": [1.0, 2.0], "goes_on": 0.1, "stopped_after": None, "restarts": 0, "left": {}, "keys": []}
        told = report.Told({"scenes": [scene]})
        self.assertEqual(report.share(told, "list", "killed", 0.5), "2.0 s")
        self.assertEqual(report.share(told, "list", "killed", 0.99), "lost")

    def test_coworker_may_neither_lose_a_job_nor_let_it_wait(self):
        for system, lost, waiting, broken in (("list", 0, 0, False), ("http", 1, 0, True), ("managed", 0, 1, True),
                                              ("sidekiq", 1, 1, False)):
            self.assertEqual(bool(chaos.is_broken({"system": system, "lost": lost, "waiting": waiting})), broken)


if __name__ == "__main__":
    unittest.main()
