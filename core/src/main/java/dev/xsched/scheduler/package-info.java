/** Turns events into snapshots, asks the policy, and has its decisions carried out. */
@NullMarked
package dev.xsched.scheduler;

import org.jspecify.annotations.NullMarked;
