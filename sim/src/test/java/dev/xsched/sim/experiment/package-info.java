@NullMarked
package dev.xsched.sim.experiment;

import org.jspecify.annotations.NullMarked;
