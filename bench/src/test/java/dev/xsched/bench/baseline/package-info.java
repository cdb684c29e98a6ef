@NullMarked
package dev.xsched.bench.baseline;

import org.jspecify.annotations.NullMarked;
