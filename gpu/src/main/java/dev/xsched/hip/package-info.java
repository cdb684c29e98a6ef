/**
 * Queues and commands of AMD's devices, through HIP's runtime library.
 *
 * <p>A program opens a {@link dev.xsched.hip.HipDevice}, compiles kernels, makes buffers, and gets
 * from them the commands that it submits to an XQueue. What a device made is closed with it at the
 * latest; whoever closes it earlier waits for its commands first.
 */
@NullMarked
package dev.xsched.hip;

import org.jspecify.annotations.NullMarked;
