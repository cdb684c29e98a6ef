/** The mechanism: preemptible command queues over a device's own queues. Knows no priorities. */
@NullMarked
package dev.xsched.queue;

import org.jspecify.annotations.NullMarked;
