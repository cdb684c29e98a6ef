/** The paper's experiments on virtual time, as plain classes that tests, demo and bench call. */
@NullMarked
package dev.xsched.sim.experiment;

import org.jspecify.annotations.NullMarked;
