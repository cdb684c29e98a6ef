/**
 * Queues and commands of OpenCL devices.
 *
 * <p>A program opens an {@link dev.xsched.opencl.OpenClDevice}, builds a program from source, makes
 * buffers, and gets from them the commands that it submits to an XQueue. What a device made is
 * closed with it at the latest; whoever closes it earlier waits for its commands first.
 */
@NullMarked
package dev.xsched.opencl;

import org.jspecify.annotations.NullMarked;
