"""XQueues over CUDA streams, in front of a driver that stands in for CUDA's: it runs nothing."""

import ctypes
import os
import unittest
from types import SimpleNamespace

import xsched

_DRIVER = os.environ.get("XSCHED_TEST_CUDA", "")


@unittest.skipUnless(_DRIVER, "XSCHED_TEST_CUDA names no driver")
class CudaTest(unittest.TestCase):
    cuda: ctypes.CDLL

    @classmethod
    def setUpClass(cls) -> None:
        cls.cuda = ctypes.CDLL(_DRIVER)
        cls.cuda.standin_most_in_flight.restype = ctypes.c_uint64
        cls.cuda.standin_executed.restype = ctypes.c_uint64
        cls.context = ctypes.c_void_p()
        device = ctypes.c_int()
        cls.check(cls.cuda.cuInit(0))
        cls.check(cls.cuda.cuDeviceGet(ctypes.byref(device), 0))
        cls.check(cls.cuda.cuCtxCreate_v2(ctypes.byref(cls.context), 0, device))

    @staticmethod
    def check(result: int) -> None:
        if result != 0:
            raise AssertionError(f"CUDA error {result}")

    def setUp(self) -> None:
        self.stream = ctypes.c_void_p()
        self.check(self.cuda.cuStreamCreate(ctypes.byref(self.stream), 1))

    def tearDown(self) -> None:
        self.check(self.cuda.cuStreamDestroy_v2(self.stream))

    def launch(self, count: int = 1) -> None:
        for _ in range(count):
            self.check(
                self.cuda.cuLaunchKernel(
                    None, 1, 1, 1, 1, 1, 1, 0, self.stream, None, None
                )
            )

    def synchronize(self) -> None:
        self.check(self.cuda.cuStreamSynchronize(self.stream))

    def test_a_program_of_the_original_works_as_written(self) -> None:
        hwq, xq, count = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_int64()
        self.assertEqual(xsched.CudaQueueCreate(ctypes.byref(hwq), self.stream), 0)
        self.assertEqual(xsched.XQueueCreate(ctypes.byref(xq), hwq, 1, 0), 0)
        self.assertEqual(xsched.XQueueSetLaunchConfig(xq, 8, 4), 0)
        self.assertEqual(xsched.XHintPriority(xq, 3), 0)
        self.cuda.standin_most_in_flight()
        before = self.cuda.standin_executed()
        self.launch(500)
        self.synchronize()
        self.assertEqual(self.cuda.standin_executed() - before, 500)
        self.assertLessEqual(self.cuda.standin_most_in_flight(), 8)
        self.assertEqual(xsched.XQueueProfileHwCommandCount(xq, ctypes.byref(count)), 0)
        self.assertEqual(count.value, 500)
        self.assertEqual(xsched.cuda_queue_get(self.stream.value), hwq.value)
        self.assertEqual(xsched.XQueueDestroy(xq), 0)
        self.assertEqual(xsched.HwQueueDestroy(hwq), 0)

    def test_streams_of_torch_are_known(self) -> None:
        with xsched.queue(SimpleNamespace(cuda_stream=self.stream.value), priority=3) as queue:
            self.launch(3)
            queue.wait()
            self.assertEqual(queue.commands, 3)

    def test_functions_find_the_context_of_the_stream(self) -> None:
        with xsched.queue(self.stream) as queue:
            before = self.cuda.standin_executed()
            for _ in range(50):
                command = queue.submit(self.launch)
            command.wait()
            self.assertEqual(self.cuda.standin_executed() - before, 50)
            self.assertTrue(queue.idle)

    def test_the_default_stream_can_have_one_too(self) -> None:
        hardware = xsched.cuda_queue_create(None)
        xq = xsched.xqueue_create(hardware)
        xsched.xqueue_wait_all(xq)
        xsched.xqueue_destroy(xq)
        xsched.hw_queue_destroy(hardware)
