"""OpenCL by ctypes, so that these tests need nothing but a driver, such as PoCL."""

import ctypes
import unittest
from typing import Any, List

_SOURCE = b"kernel void append(global int *list, int value) { list[++list[0]] = value; }\n"


class OpenCL:
    """A device, and one kernel that appends a number to a list in the device's memory."""

    def __init__(self) -> None:
        try:
            self.library = ctypes.CDLL("libOpenCL.so.1")
        except OSError:
            raise unittest.SkipTest("no libOpenCL.so.1 here") from None
        platform, count = ctypes.c_void_p(), ctypes.c_uint()
        found = self.library.clGetPlatformIDs(1, ctypes.byref(platform), ctypes.byref(count))
        if found != 0 or count.value == 0:
            raise unittest.SkipTest("no OpenCL driver here")
        self.device = ctypes.c_void_p()
        self._check(
            self.library.clGetDeviceIDs(
                platform, ctypes.c_uint64(0xFFFFFFFF), 1, ctypes.byref(self.device), None
            )
        )
        self.context = self._make("clCreateContext", None, 1, ctypes.byref(self.device), None, None)
        text = ctypes.c_char_p(_SOURCE)
        program = self._make(
            "clCreateProgramWithSource", self.context, 1, ctypes.byref(text), None
        )
        self._check(self.library.clBuildProgram(program, 0, None, b"", None, None))
        self.program = program

    @staticmethod
    def _check(error: int) -> None:
        if error != 0:
            raise AssertionError(f"OpenCL error {error}")

    def _make(self, function: str, *arguments: Any) -> ctypes.c_void_p:
        error = ctypes.c_int()
        make = getattr(self.library, function)
        make.restype = ctypes.c_void_p
        made = ctypes.c_void_p(make(*arguments, ctypes.byref(error)))
        self._check(error.value)
        return made

    def queue(self) -> int:
        return self._make(
            "clCreateCommandQueue", self.context, self.device, ctypes.c_uint64(0)
        ).value or 0

    def release(self, queue: int) -> None:
        self._check(self.library.clReleaseCommandQueue(ctypes.c_void_p(queue)))

    def make_list(self, most: int) -> ctypes.c_void_p:
        size = 4 * (most + 1)
        buffer = self._make(
            "clCreateBuffer", self.context, ctypes.c_uint64(1), ctypes.c_size_t(size), None
        )
        queue = self.queue()
        zeros = (ctypes.c_int * (most + 1))()
        self._check(
            self.library.clEnqueueWriteBuffer(
                ctypes.c_void_p(queue), buffer, 1, ctypes.c_size_t(0), ctypes.c_size_t(size),
                zeros, 0, None, None,
            )
        )
        self.release(queue)
        return buffer

    def append(self, queue: int, buffer: ctypes.c_void_p, value: int) -> None:
        kernel = self._make("clCreateKernel", self.program, b"append")
        number = ctypes.c_int(value)
        one = ctypes.c_size_t(1)
        set_argument = self.library.clSetKernelArg
        self._check(set_argument(kernel, 0, ctypes.c_size_t(8), ctypes.byref(buffer)))
        self._check(set_argument(kernel, 1, ctypes.c_size_t(4), ctypes.byref(number)))
        self._check(
            self.library.clEnqueueNDRangeKernel(
                ctypes.c_void_p(queue), kernel, 1, None, ctypes.byref(one), ctypes.byref(one),
                0, None, None,
            )
        )
        self._check(self.library.clReleaseKernel(kernel))

    def read(self, queue: int, buffer: ctypes.c_void_p, most: int) -> List[int]:
        size = 4 * (most + 1)
        values = (ctypes.c_int * (most + 1))()
        self._check(
            self.library.clEnqueueReadBuffer(
                ctypes.c_void_p(queue), buffer, 1, ctypes.c_size_t(0), ctypes.c_size_t(size),
                values, 0, None, None,
            )
        )
        return list(values[1 : 1 + values[0]])
