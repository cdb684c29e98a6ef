/** What the daemon itself asks of NVIDIA's driver. */
@NullMarked
package dev.xsched.daemon.nvidia;

import org.jspecify.annotations.NullMarked;
