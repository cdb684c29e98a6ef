/**
 * Queues and commands of CUDA devices, through the driver's own library.
 *
 * <p>A program opens a {@link dev.xsched.cuda.CudaDevice}, loads PTX, makes buffers, and gets from
 * them the commands that it submits to an XQueue. What a device made is closed with it at the
 * latest; whoever closes it earlier waits for its commands first.
 */
@NullMarked
package dev.xsched.cuda;

import org.jspecify.annotations.NullMarked;
