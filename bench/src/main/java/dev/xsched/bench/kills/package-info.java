/**
 * Programs whose results are known are killed, and so is their daemon, at random moments; who is
 * left must not notice. What is killed is native/bench/checked, on whichever CUDA device there is.
 */
@NullMarked
package dev.xsched.bench.kills;

import org.jspecify.annotations.NullMarked;
