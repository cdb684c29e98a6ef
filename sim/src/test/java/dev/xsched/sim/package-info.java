@NullMarked
package dev.xsched.sim;

import org.jspecify.annotations.NullMarked;
