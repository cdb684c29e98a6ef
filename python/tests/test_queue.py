"""XQueues over queues of OpenCL. Started with the library preloaded, as `xsched run` does."""

import gc
import os
import subprocess
import sys
import threading
import time
import unittest
import weakref
from typing import List

import xsched
from tests.opencl import OpenCL
from xsched import _calls, _queue

_PRELOADED = "libxsched" in os.environ.get("LD_PRELOAD", "")


class QueueTest(unittest.TestCase):
    opencl: OpenCL

    @classmethod
    def setUpClass(cls) -> None:
        cls.opencl = OpenCL()

    def setUp(self) -> None:
        self.stream = self.opencl.queue()
        self.addCleanup(self.opencl.release, self.stream)
        self.list = self.opencl.make_list(1000)

    def queue(self, **options: int) -> xsched.Queue:
        made = xsched.queue(self.stream, platform="opencl", **options)
        self.addCleanup(made.close)
        return made

    def append(self, value: int) -> None:
        self.opencl.append(self.stream, self.list, value)

    def values(self) -> List[int]:
        return self.opencl.read(self.stream, self.list, 1000)

    def test_a_queue_has_hints_and_a_launch_config(self) -> None:
        with self.queue(priority=3, threshold=8, batch=4, utilization=50, deadline=100) as queue:
            self.assertEqual(queue.priority, 3)
            queue.priority = -7
            self.assertEqual(queue.priority, -7)
            queue.set_launch_config(16)
            queue.set_laxity(100, 1, 2)
            queue.set_laxity(None)
            queue.set_deadline(None)
            with self.assertRaises(xsched.XSchedError):
                queue.priority = 300
            self.assertEqual(queue.priority, -7)
            with self.assertRaises(xsched.XSchedError):
                queue.set_launch_config(2, 4)
            self.assertIn("priority -7", repr(queue))
        self.assertIn("closed", repr(queue))
        queue.close()  # twice is once
        with self.assertRaises(xsched.XSchedError) as raised:
            queue.suspend()
        self.assertEqual(raised.exception.code, xsched.Result.NOT_FOUND)

    def test_a_bad_hint_leaves_no_queue_behind(self) -> None:
        with self.assertRaises(xsched.XSchedError):
            self.queue(priority=1000)
        hardware = xsched.opencl_queue_create(self.stream)
        with self.assertRaises(xsched.XSchedError):
            xsched.xqueue_get(hardware)
        xsched.hw_queue_destroy(hardware)

    @unittest.skipUnless(_PRELOADED, "the library is not preloaded")
    def test_a_suspended_queue_holds_launches_of_threads(self) -> None:
        queue = self.queue()
        self.append(1)
        queue.suspend(sync=True)
        thread = threading.Thread(target=self.append, args=(2,))
        thread.start()
        thread.join(0.05)
        self.assertTrue(thread.is_alive())
        queue.resume()
        thread.join()
        queue.wait()
        self.assertTrue(queue.idle)
        self.assertEqual(queue.commands, 2)
        self.assertEqual(self.values(), [1, 2])

    def test_functions_are_called_in_order(self) -> None:
        queue = self.queue(threshold=8, batch=4)
        for i in range(200):
            command = queue.submit(lambda i=i: self.append(i))
        command.wait()
        queue.wait()
        self.assertEqual(queue.commands, 200)
        self.assertEqual(self.values(), list(range(200)))

    def test_what_a_function_raises_is_raised_by_wait(self) -> None:
        queue = self.queue()

        def fail() -> None:
            raise KeyError("no such model")

        command = queue.submit(fail)
        with self.assertRaises(KeyError):
            command.wait()
        queue.submit(lambda: self.append(1)).wait()
        self.assertEqual(self.values(), [1])

    def test_a_command_of_long_ago_can_be_waited_for(self) -> None:
        queue = self.queue()
        first = queue.submit(lambda: self.append(1))
        first.wait()
        queue.suspend()
        for _ in range(65536):
            queue.submit(lambda: None)
        queue.resume(drop=True)
        first.wait()
        queue.close()
        with self.assertRaises(xsched.XSchedError):
            first.wait()

    def test_what_a_function_returned_is_not_taken_for_the_function(self) -> None:
        queue = self.queue()
        with self.assertRaisesRegex(TypeError, "such as lambda"):
            queue.submit(self.append(1))  # called here, and not by the queue
        self.assertFalse(queue._commands)

    def test_dropped_commands_are_never_called(self) -> None:
        queue = self.queue()
        queue.suspend()
        commands = [queue.submit(lambda i=i: self.append(i)) for i in range(10)]
        self.assertFalse(queue.idle)
        queue.resume(drop=True)
        with self.assertRaises(xsched.XSchedError) as raised:
            commands[0].wait()
        self.assertEqual(raised.exception.code, xsched.Result.NOT_FOUND)
        queue.wait()
        self.assertEqual(self.values(), [])

    def test_nothing_is_kept_of_commands_that_are_done(self) -> None:
        queue = self.queue()
        for i in range(50):
            queue.submit(lambda i=i: self.append(i))
        queue.wait()
        queue.close()
        gc.collect()
        self.assertEqual(len(_calls._entries), 0)
        self.assertEqual(len(_calls._keys_by_command), 0)

    def test_a_queue_that_could_not_be_closed_can_be_closed_later(self) -> None:
        queue = self.queue()
        with self.assertRaises(xsched.XSchedError) as raised:
            queue.submit(queue.close).wait()
        self.assertEqual(raised.exception.code, xsched.Result.NOT_ALLOWED)
        queue.submit(lambda: self.append(1)).wait()
        queue.close()
        hardware = xsched.opencl_queue_create(self.stream)
        with self.assertRaises(xsched.XSchedError):
            xsched.xqueue_get(hardware)
        xsched.hw_queue_destroy(hardware)

    def test_a_stream_keeps_its_queue_until_the_first_that_made_it_closes(self) -> None:
        with self.queue(priority=1) as queue:
            with self.assertRaises(xsched.XSchedError):
                self.queue(priority=1000)
            with self.queue(priority=2) as again:
                self.assertEqual(again.handle, queue.handle)
                again.submit(lambda: self.append(1))
            queue.submit(lambda: self.append(2)).wait()
        self.assertEqual(self.values(), [1, 2])
        with self.queue() as new:
            self.assertNotEqual(new.handle, queue.handle)

    def test_a_command_that_is_done_is_let_go_at_once(self) -> None:
        queue = self.queue()
        command = queue.submit(lambda: self.append(1))
        command.wait()
        done = weakref.ref(command)
        del command
        self.assertIsNone(done())

    def test_a_queue_that_the_program_lets_go_of_does_its_work(self) -> None:
        queue = xsched.queue(self.stream, platform="opencl")
        queue.suspend()
        for i in range(10):
            queue.submit(lambda i=i: self.append(i))
        xq = queue.handle
        del queue
        gc.collect()
        xsched.xqueue_resume(xq)
        xsched.xqueue_wait_all(xq)
        self.assertEqual(self.values(), list(range(10)))
        (kept,) = (made for made in _queue._with_threads if made.handle == xq)
        kept.close()
        self.assertNotIn(kept, _queue._with_threads)

    def test_the_plain_functions_do_the_same(self) -> None:
        hardware = xsched.opencl_queue_create(self.stream)
        xq = xsched.xqueue_create(hardware, xsched.Level.BLOCK, 0)
        self.assertEqual(xsched.xqueue_get(hardware), xq)
        xsched.xqueue_set_launch_config(xq, 8, 4)
        xsched.xhint_priority(xq, 3)
        command = xsched.hw_command_create_callback(lambda hwq: self.append(int(hwq == hardware)))
        xsched.xqueue_submit(xq, command)
        with self.assertRaises(xsched.XSchedError):
            xsched.xqueue_submit(xq, command)
        xsched.xqueue_wait(xq, command)
        xsched.hw_command_destroy(command)
        direct = xsched.hw_command_create_callback(lambda hwq: self.append(5))
        xsched.hw_queue_launch(hardware, direct)
        xsched.hw_command_destroy(direct)
        xsched.hw_queue_synchronize(hardware)
        self.assertEqual(xsched.xqueue_query(xq), xsched.State.IDLE)
        xsched.xqueue_destroy(xq)
        xsched.hw_queue_destroy(hardware)
        self.assertEqual(self.values(), [1, 5])

    def test_a_program_may_end_with_commands_pending(self) -> None:
        code = (
            "import time, xsched\n"
            "from tests.opencl import OpenCL\n"
            "q = xsched.queue(OpenCL().queue(), platform='opencl')\n"
            "for i in range(1000): q.submit(lambda: time.sleep(0.002))\n"
            "print('end')\n"
        )
        started = time.monotonic()
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, b"end\n"))
        self.assertLess(time.monotonic() - started, 30)

    def test_an_object_may_close_its_queue_while_the_interpreter_ends(self) -> None:
        code = (
            "import time, xsched\n"
            "from tests.opencl import OpenCL\n"
            "class Server:\n"
            "  def __init__(self): self.q = xsched.queue(OpenCL().queue(), platform='opencl')\n"
            "  def __del__(self): self.q.close()\n"
            "server = Server()\n"
            "for i in range(1000): server.q.submit(lambda: time.sleep(0.002))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20
        )
        self.assertEqual(done.returncode, 0)
        self.assertNotIn(b"Error", done.stderr)

    def test_a_wait_ends_at_the_interrupt_of_a_terminal(self) -> None:
        code = (
            "import os, signal, threading, xsched\n"
            "from tests.opencl import OpenCL\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "queue = xsched.queue(OpenCL().queue(), platform='opencl')\n"
            "def interrupt(wait):\n"
            "  timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))\n"
            "  timer.start()\n"
            "  try: wait()\n"
            "  except KeyboardInterrupt: print('interrupted')\n"
            "  timer.join()\n"
            "queue.suspend()\n"
            "command = queue.submit(lambda: None)\n"
            "interrupt(command.wait)\n"
            "interrupt(queue.wait)\n"
            "done = threading.Event()\n"
            "queue.submit(done.wait)\n"
            "interrupt(queue.close)\n"
            "done.set()\n"
            "queue.close()\n"
            "print('closed')\n"
        )
        done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=20)
        self.assertEqual((done.returncode, done.stdout), (0, b"interrupted\n" * 3 + b"closed\n"))

    def test_a_forked_child_ends_as_it_would_without_a_queue(self) -> None:
        code = (
            "import os, sys, xsched\n"
            "from tests.opencl import OpenCL\n"
            "cl = OpenCL()\n"
            "other = xsched.queue(cl.queue(), platform='opencl')\n"
            "other.submit(lambda: None).wait()\n"
            "with xsched.queue(cl.queue(), platform='opencl') as queue:\n"
            "  child = os.fork()\n"
            "  if child == 0: sys.exit(3)\n"
            "  print(os.WEXITSTATUS(os.waitpid(child, 0)[1]))\n"
            "  queue.submit(lambda: print('parent')).wait()\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60
        )
        self.assertEqual((done.returncode, done.stdout), (0, b"3\nparent\n"), done.stderr)
        self.assertNotIn(b"Error", done.stderr)

    def test_a_program_that_is_not_seen_is_told_once(self) -> None:
        code = (
            "import xsched\n"
            "from tests.opencl import OpenCL\n"
            "cl = OpenCL()\n"
            "for i in range(2): xsched.queue(cl.queue(), platform='opencl').close()\n"
        )
        environment = dict(os.environ)
        environment.pop("LD_PRELOAD", None)
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, check=True
        )
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        self.assertIn(b"xsched run -- PROGRAM", done.stderr)

    def test_queues_of_pyopencl_are_known(self) -> None:
        try:
            import pyopencl
        except ImportError:
            self.skipTest("no pyopencl here")
        context = pyopencl.create_some_context(interactive=False)
        stream = pyopencl.CommandQueue(context)
        with xsched.queue(stream, priority=1) as queue:
            text = "kernel void set(global int *x) { x[get_global_id(0)] = get_global_id(0); }"
            program = pyopencl.Program(context, text).build()
            buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4 * 16)
            program.set(stream, (16,), None, buffer)
            queue.wait()
            result = bytearray(4 * 16)
            pyopencl.enqueue_copy(stream, result, buffer)
            self.assertEqual(list(memoryview(result).cast("i")), list(range(16)))
            if _PRELOADED:
                self.assertGreaterEqual(queue.commands, 2)
