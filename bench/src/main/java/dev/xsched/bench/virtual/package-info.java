/**
 * The stage on virtual time: device models in place of devices, with the real queues, policies and
 * scheduler.
 */
@NullMarked
package dev.xsched.bench.virtual;

import org.jspecify.annotations.NullMarked;
