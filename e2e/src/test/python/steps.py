"""Steps of a computation by pyopencl, whose result depends on their order; prints its hash."""
import hashlib

import numpy
import pyopencl

SOURCE = """
__kernel void advance(__global uint *data, uint number) {
  uint x = data[get_global_id(0)];
  for (uint i = 0; i < 2000; i++) x = x * 1664525u + 1013904223u;
  data[get_global_id(0)] = x * 69069u + number;
}
"""

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
kernel = pyopencl.Program(context, SOURCE).build().advance
data = numpy.zeros(256, dtype=numpy.uint32)
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, data.nbytes)
pyopencl.enqueue_copy(queue, buffer, data)
for number in range(200):
    kernel(queue, data.shape, None, buffer, numpy.uint32(number))
    if number % 50 == 0:
        queue.finish()
pyopencl.enqueue_copy(queue, data, buffer)
print("hash", hashlib.sha256(data.tobytes()).hexdigest())
