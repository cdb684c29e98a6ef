@NullMarked
package dev.xsched.bench.judge;

import org.jspecify.annotations.NullMarked;
