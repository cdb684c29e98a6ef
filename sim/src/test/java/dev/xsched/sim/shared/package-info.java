@NullMarked
package dev.xsched.sim.shared;

import org.jspecify.annotations.NullMarked;
