/**
 * The virtual XPU: models of real devices, on real time to try things out and on virtual time to
 * judge policies and to redo the paper's experiments.
 */
@NullMarked
package dev.xsched.sim;

import org.jspecify.annotations.NullMarked;
