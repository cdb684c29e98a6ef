"""XQueues over HIP streams, in front of a library that stands in for HIP's runtime."""

import ctypes
import os
import unittest

import xsched

_RUNTIME = os.environ.get("XSCHED_TEST_HIP", "")


class Size(ctypes.Structure):
    """A dim3, which HIP takes by value."""

    _fields_ = [("x", ctypes.c_uint32), ("y", ctypes.c_uint32), ("z", ctypes.c_uint32)]


@unittest.skipUnless(_RUNTIME, "XSCHED_TEST_HIP names no runtime")
class HipTest(unittest.TestCase):
    hip: ctypes.CDLL

    @classmethod
    def setUpClass(cls) -> None:
        cls.hip = ctypes.CDLL(_RUNTIME)
        cls.hip.standin_most_in_flight.restype = ctypes.c_uint64
        cls.hip.standin_executed.restype = ctypes.c_uint64
        cls.hip.hipLaunchKernel.argtypes = [
            ctypes.c_void_p,
            Size,
            Size,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
        ]

    def setUp(self) -> None:
        self.stream = ctypes.c_void_p()
        self.assertEqual(self.hip.hipStreamCreateWithFlags(ctypes.byref(self.stream), 1), 0)

    def tearDown(self) -> None:
        self.assertEqual(self.hip.hipStreamDestroy(self.stream), 0)

    def launch(self, count: int = 1) -> None:
        one = Size(1, 1, 1)
        for _ in range(count):
            result = self.hip.hipLaunchKernel(None, one, one, None, 0, self.stream)
            self.assertEqual(result, 0)

    def test_a_program_of_the_original_works_as_written(self) -> None:
        hwq, xq, count = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_int64()
        self.assertEqual(xsched.HipQueueCreate(ctypes.byref(hwq), self.stream), 0)
        self.assertEqual(xsched.XQueueCreate(ctypes.byref(xq), hwq, 1, 0), 0)
        self.assertEqual(xsched.XQueueSetLaunchConfig(xq, 8, 4), 0)
        self.assertEqual(xsched.XHintPriority(xq, 3), 0)
        self.hip.standin_most_in_flight()
        before = self.hip.standin_executed()
        self.launch(500)
        self.assertEqual(self.hip.hipStreamSynchronize(self.stream), 0)
        self.assertEqual(self.hip.standin_executed() - before, 500)
        self.assertLessEqual(self.hip.standin_most_in_flight(), 8)
        self.assertEqual(xsched.XQueueProfileHwCommandCount(xq, ctypes.byref(count)), 0)
        self.assertEqual(count.value, 500)
        self.assertEqual(xsched.XQueueDestroy(xq), 0)
        self.assertEqual(xsched.HwQueueDestroy(hwq), 0)

    def test_functions_are_launched_in_order(self) -> None:
        with xsched.queue(self.stream, platform="hip", priority=3) as queue:
            before = self.hip.standin_executed()
            for _ in range(50):
                command = queue.submit(self.launch)
            command.wait()
            self.assertEqual(self.hip.standin_executed() - before, 50)
            self.assertTrue(queue.idle)

    def test_the_default_stream_can_have_one_too(self) -> None:
        hardware = xsched.hip_queue_create(None)
        xq = xsched.xqueue_create(hardware)
        xsched.xqueue_wait_all(xq)
        xsched.xqueue_destroy(xq)
        xsched.hw_queue_destroy(hardware)
