@NullMarked
package dev.xsched.bench.record;

import org.jspecify.annotations.NullMarked;
