@NullMarked
package dev.xsched.bench.worker;

import org.jspecify.annotations.NullMarked;
