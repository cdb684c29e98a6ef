"""What needs no device: loading, errors, handles, the priority of the process."""

import ctypes
import os
import subprocess
import sys
import threading
import unittest
from types import SimpleNamespace
from typing import List
from unittest import mock

import xsched
from xsched import _library, _priority


class LibraryTest(unittest.TestCase):
    def test_original_names_are_ctypes_functions(self) -> None:
        handle = ctypes.c_uint64()
        self.assertEqual(xsched.XQueueCreate(ctypes.byref(handle), 7, 1, 0), 3)
        self.assertEqual(xsched.XHintPriority(7, 3), 3)
        self.assertIs(xsched.XQueueCreate.restype, ctypes.c_int)

    def test_every_function_of_the_interface_is_there(self) -> None:
        for name in _library.SIGNATURES:
            self.assertTrue(callable(getattr(xsched, name)), name)
            self.assertIn(name, dir(xsched))
        for name in xsched.__all__:
            self.assertTrue(getattr(xsched, name).__doc__, name)

    def test_an_unknown_name_is_an_attribute_error(self) -> None:
        with self.assertRaises(AttributeError):
            xsched.XQueueFly  # noqa: B018

    def test_a_missing_library_says_what_to_do(self) -> None:
        code = (
            "import xsched\n"
            "try:\n  xsched.XQueueCreate\n"
            "except xsched.XSchedError as e:\n  print(e)\n"
        )
        environment = dict(os.environ, XSCHED_LIBRARY="/no/such/file.so")
        environment.pop("LD_PRELOAD", None)
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, check=True
        )
        self.assertIn(b"xsched run --", done.stdout)
        self.assertIn(b"/no/such/file.so", done.stdout)


class ErrorTest(unittest.TestCase):
    def test_bad_handles_raise(self) -> None:
        for call in (
            lambda: xsched.hw_queue_destroy(1),
            lambda: xsched.hw_queue_launch(1, 2),
            lambda: xsched.hw_queue_synchronize(1),
            lambda: xsched.hw_command_destroy(1),
            lambda: xsched.xqueue_create(1),
            lambda: xsched.xqueue_destroy(1),
            lambda: xsched.xqueue_get(1),
            lambda: xsched.xqueue_set_preempt_level(1, 1),
            lambda: xsched.xqueue_set_launch_config(1, 8, 4),
            lambda: xsched.xqueue_submit(1, 2),
            lambda: xsched.xqueue_wait(1, 2),
            lambda: xsched.xqueue_wait_all(1),
            lambda: xsched.xqueue_query(1),
            lambda: xsched.xqueue_suspend(1),
            lambda: xsched.xqueue_resume(1),
            lambda: xsched.xqueue_profile_hw_command_count(1),
            lambda: xsched.xhint_priority(1, 0),
            lambda: xsched.xhint_utilization(1, 0),
            lambda: xsched.xhint_deadline(1, 1),
            lambda: xsched.xhint_laxity(1, 1, 0, 0),
            lambda: xsched.xhint_latency_goal(1, 1),
            lambda: xsched.xhint_latency_ratio(1, 1000),
        ):
            with self.assertRaises(xsched.XSchedError) as raised:
                call()
            self.assertEqual(raised.exception.code, xsched.Result.NOT_FOUND)

    def test_bad_values_raise_and_name_the_function(self) -> None:
        for call, name in (
            (lambda: xsched.xhint_timeslice(99), "XHintTimeslice"),
            (lambda: xsched.xhint_timeslice(2**64 + 5000), "XHintTimeslice"),
            (lambda: xsched.xhint_k_deadline(-1), "XHintKDeadline"),
            (lambda: xsched.xhint_priority(1, 2**32 + 5), "XHintPriority"),
            (lambda: xsched.xhint_deadline(1, 2**64 - 1), "XHintDeadline"),
            (lambda: xsched.xhint_process_priority(256), "XHintProcessPriority"),
            (lambda: xsched.xhint_process_latency_goal(0), "XHintProcessLatencyGoal"),
            (lambda: xsched.xhint_process_latency_ratio(999), "XHintProcessLatencyRatio"),
            (lambda: xsched.opencl_queue_create(None), "OpenclQueueCreate"),
        ):
            with self.assertRaises(xsched.XSchedError) as raised:
                call()
            self.assertEqual(raised.exception.code, xsched.Result.INVALID_VALUE)
            self.assertIn(name, str(raised.exception))
            self.assertIn("range", str(raised.exception))

    def test_a_goal_that_makes_no_sense_is_refused_with_what_would(self) -> None:
        with self.assertRaisesRegex(ValueError, "such as 1.05"):
            xsched.slo(ratio=0.9)
        with self.assertRaisesRegex(ValueError, "0.001 or more"):
            xsched.slo(0)

    def test_a_runtime_that_is_not_there_is_said(self) -> None:
        program = "import xsched; xsched.queue(0, platform='hip')"
        ended = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "XSCHED_HIP_LIB": "/nowhere"},
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        self.assertIn("XSchedError", ended.stderr)
        self.assertIn("xsched doctor", ended.stderr)

    def test_what_is_no_stream_is_refused(self) -> None:
        with self.assertRaises(TypeError):
            xsched.queue("stream")
        with self.assertRaises(ValueError):
            xsched.queue(0, platform="abacus")


class StreamTest(unittest.TestCase):
    def test_streams_of_others_are_known(self) -> None:
        class Protocol:
            def __cuda_stream__(self) -> "tuple[int, int]":
                return 0, 5

        self.assertEqual(_library.pointer(SimpleNamespace(cuda_stream=1)), ("cuda", 1))
        self.assertEqual(_library.pointer(SimpleNamespace(int_ptr=2)), ("opencl", 2))
        self.assertEqual(_library.pointer(SimpleNamespace(ptr=3)), ("cuda", 3))
        self.assertEqual(_library.pointer(ctypes.c_void_p(4)), ("cuda", 4))
        self.assertEqual(_library.pointer(Protocol()), ("cuda", 5))
        self.assertEqual(_library.pointer(None), ("cuda", None))
        hip = SimpleNamespace(version=SimpleNamespace(hip="6.0"))
        with mock.patch.dict(sys.modules, {"torch": hip}):
            self.assertEqual(_library.pointer(SimpleNamespace(cuda_stream=1)), ("hip", 1))


class PriorityTest(unittest.TestCase):
    def setUp(self) -> None:
        self.before = xsched.xhint_process_priority(1)

    def tearDown(self) -> None:
        xsched.xhint_process_priority(self.before)

    def asked(self) -> int:
        """What the library has been asked for; asking changes nothing if it is the same again."""
        now = xsched.xhint_process_priority(0)
        xsched.xhint_process_priority(now)
        return now

    def test_a_block_has_a_priority(self) -> None:
        with xsched.priority(10):
            self.assertEqual(self.asked(), 10)
            with xsched.priority(-3):
                self.assertEqual(self.asked(), -3)
            self.assertEqual(self.asked(), 10)
        self.assertEqual(self.asked(), 1)

    def test_an_exception_ends_it(self) -> None:
        with self.assertRaises(KeyError):
            with xsched.priority(10):
                raise KeyError
        self.assertEqual(self.asked(), 1)

    def test_a_bad_priority_changes_nothing(self) -> None:
        with self.assertRaises(xsched.XSchedError):
            with xsched.priority(1000):
                self.fail("entered")
        self.assertEqual(self.asked(), 1)
        self.assertEqual(_priority._active, [])

    def test_a_function_can_have_one(self) -> None:
        seen: List[int] = []

        @xsched.priority(7)
        def work(depth: int) -> None:
            seen.append(self.asked())
            if depth > 0:
                work(depth - 1)

        work(2)
        self.assertEqual(seen, [7, 7, 7])
        self.assertEqual(self.asked(), 1)

    def test_the_last_that_was_entered_counts(self) -> None:
        entered, leave = threading.Event(), threading.Event()

        def other() -> None:
            with xsched.priority(5):
                entered.set()
                leave.wait()

        with xsched.priority(9):
            thread = threading.Thread(target=other)
            thread.start()
            entered.wait()
            self.assertEqual(self.asked(), 5)
        self.assertEqual(self.asked(), 5)
        leave.set()
        thread.join()
        self.assertEqual(self.asked(), 1)
