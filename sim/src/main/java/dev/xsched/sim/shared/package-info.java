/**
 * A virtual XPU that several processes share, so that they really contend for it. It exists only as
 * a mapped file, described in {@code native/include/xsched_sharedxpu.h}.
 */
@NullMarked
package dev.xsched.sim.shared;

import org.jspecify.annotations.NullMarked;
