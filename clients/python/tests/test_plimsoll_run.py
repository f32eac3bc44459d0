"""Unit tests of plimsoll_run. Run: python3 -m unittest discover -s clients/python/tests"""
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import plimsoll_run  # noqa: E402

TIMES = ["2026-11-30T20:00:0%d.000Z" % second for second in range(10)]


class Clock:
    """Second after second from 2026-11-30T20:00:00Z."""

    def __init__(self):
        self.now = 1796068799.0

    def __call__(self):
        self.now += 1
        return self.now


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "runs", "x.jsonl")

    def start(self, environ=None, **options):
        return plimsoll_run.start(self.path, environ=environ or {}, clock=Clock(), **options)

    def lines(self):
        with open(self.path, encoding="utf-8") as log:
            return [json.loads(line) for line in log]

    def test_an_attempt_is_its_events_in_order(self):
        run = self.start(gpus=8, experiment="e", model="m", labels={"team": "nlp"})
        run.step(1, samples=512, tokens=1024, metrics={"loss": 2.5})
        with run.checkpoint(1):
            pass
        with run.stall("data"):
            pass
        run.metric("acc", 0.5, 1)
        run.stop()
        self.assertEqual(self.lines(), [
            {"kind": "start", "run": "x", "attempt": 0, "at": TIMES[0], "seq": 0,
             "format": "plimsoll-run/1", "gpus": 8, "experiment": "e", "model": "m",
             "labels": {"team": "nlp"}},
            {"kind": "step", "run": "x", "attempt": 0, "at": TIMES[1], "seq": 1, "step": 1,
             "samples": 512, "tokens": 1024},
            {"kind": "metric", "run": "x", "attempt": 0, "at": TIMES[2], "seq": 2, "step": 1,
             "name": "loss", "value": 2.5},
            {"kind": "checkpoint_begin", "run": "x", "attempt": 0, "at": TIMES[3], "seq": 3,
             "step": 1},
            {"kind": "checkpoint_end", "run": "x", "attempt": 0, "at": TIMES[4], "seq": 4,
             "step": 1},
            {"kind": "stall_begin", "run": "x", "attempt": 0, "at": TIMES[5], "seq": 5,
             "name": "data"},
            {"kind": "stall_end", "run": "x", "attempt": 0, "at": TIMES[6], "seq": 6,
             "name": "data"},
            {"kind": "metric", "run": "x", "attempt": 0, "at": TIMES[7], "seq": 7, "step": 1,
             "name": "acc", "value": 0.5},
            {"kind": "stop", "run": "x", "attempt": 0, "at": TIMES[8], "seq": 8,
             "reason": "completed"}])

    def test_the_next_start_is_the_next_attempt_also_behind_a_cut_line(self):
        self.start().step(1)
        with open(self.path, "ab") as log:
            log.write(b'{"kind":"step","run":"x","att')
        second = self.start()
        second.resume(1)
        self.start(run="other")
        third = self.start()
        self.assertEqual((second.attempt, third.attempt), (1, 2))
        with open(self.path, encoding="utf-8") as log:
            lines = log.read().splitlines()
        self.assertEqual(lines[2], '{"kind":"step","run":"x","att')
        self.assertEqual(json.loads(lines[3])["attempt"], 1)
        self.assertEqual(json.loads(lines[5])["attempt"], 0)  # of the other run

    def test_the_attempt_is_found_also_far_from_the_end(self):
        self.start().stop()
        other = self.start(run="other")
        for step in range(4000):
            other.step(step, samples=1, tokens=1)
        self.assertGreater(os.path.getsize(self.path), plimsoll_run._TAIL_BYTES)
        self.assertEqual(self.start().attempt, 1)

    def test_a_checkpoint_that_fails_is_not_durable_and_its_error_is_the_loops(self):
        run = self.start()
        with self.assertRaises(OSError):
            with run.checkpoint(3):
                raise OSError("disk full")
        self.assertEqual([line["kind"] for line in self.lines()], ["start", "checkpoint_begin"])

    def test_a_stall_ends_also_by_an_error(self):
        run = self.start()
        with self.assertRaises(KeyError):
            with run.stall():
                raise KeyError("x")
        self.assertEqual(self.lines()[-1]["kind"], "stall_end")

    def test_a_block_tells_how_it_was_left(self):
        with self.start():
            pass
        with self.assertRaises(ValueError):
            with self.start():
                raise ValueError("NaN loss")
        with self.assertRaises(KeyboardInterrupt):
            with self.start():
                raise KeyboardInterrupt
        ends = [(line["kind"], line["reason"]) for line in self.lines() if line["kind"] != "start"]
        self.assertEqual(ends, [("stop", "completed"), ("failure", "ValueError: NaN loss"),
                                ("stop", "cancelled")])

    def test_only_rank_0_writes(self):
        for environ in ({"RANK": "3"}, {"SLURM_PROCID": "1"}, {"OMPI_COMM_WORLD_RANK": "2"}):
            self.start(environ).step(1)
        self.start({}, rank=1).step(1)
        self.assertFalse(os.path.exists(self.path))
        self.start({"RANK": "0", "SLURM_PROCID": "1"})
        self.assertEqual(len(self.lines()), 1)

    def test_the_environment_names_job_pod_and_gpus(self):
        self.start({"SLURM_JOB_ID": "12", "SLURM_CLUSTER_NAME": "hpc", "SLURM_GPUS_ON_NODE": "4",
                    "SLURM_JOB_NUM_NODES": "2"})
        self.start({"SLURM_JOB_ID": "14", "SLURM_ARRAY_JOB_ID": "13", "SLURM_ARRAY_TASK_ID": "5",
                    "WORLD_SIZE": "16"})
        self.start({"KUBERNETES_SERVICE_HOST": "10.0.0.1", "HOSTNAME": "train-0",
                    "POD_NAMESPACE": "nlp", "JOBSET_NAME": "train"})
        slurm, array, pod = self.lines()
        self.assertEqual((slurm["job"], slurm["cluster"], slurm["gpus"]), ("12", "hpc", 8))
        self.assertEqual((array["job"], array["gpus"]), ("13_5", 16))
        self.assertEqual((pod["pod"], pod["namespace"], pod["workload"]),
                         ("train-0", "nlp", "train"))
        self.assertNotIn("gpus", pod)

    def test_numbers_that_json_lacks_are_words(self):
        run = self.start()
        for value in (float("nan"), float("inf"), float("-inf")):
            run.metric("loss", value)
        self.assertEqual([line["value"] for line in self.lines()[1:]], ["nan", "inf", "-inf"])

    def test_nothing_makes_training_fail_and_one_warning_tells(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = plimsoll_run.start("/dev/null/x.jsonl", environ={})
            run.step(1)
            run.metric("loss", "not a number")
            with run.checkpoint(1):
                pass
            run.stop()
            self.assertEqual(len(caught), 1)
            bad = self.start()
            bad.step("one")
            bad.step(object())
            bad.step(2)
            self.assertEqual(len(caught), 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            plimsoll_run.start("/dev/null/x.jsonl", environ={}).step("one")
        self.assertEqual([line["kind"] for line in self.lines()], ["start", "step"])

    def test_after_the_end_nothing_is_written(self):
        run = self.start()
        run.stop()
        run.step(1)
        run.stop()
        run.failed("late")
        self.assertEqual([line["kind"] for line in self.lines()], ["start", "stop"])

    def test_threads_do_not_mix_lines(self):
        run = self.start()
        threads = [threading.Thread(target=lambda: [run.step(i, samples=1) for i in range(200)])
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(line["seq"] for line in self.lines()), list(range(801)))

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_worker_is_not_the_run(self):
        run = self.start()
        child = os.fork()
        if child == 0:
            run.step(1)
            os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual(len(self.lines()), 1)


if __name__ == "__main__":
    unittest.main()
