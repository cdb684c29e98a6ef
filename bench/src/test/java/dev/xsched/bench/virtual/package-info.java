@NullMarked
package dev.xsched.bench.virtual;

import org.jspecify.annotations.NullMarked;
