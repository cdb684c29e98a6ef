/** The whole system as real processes: a daemon, programs in C and Java, a shared virtual XPU. */
@NullMarked
package dev.xsched.e2e;

import org.jspecify.annotations.NullMarked;
