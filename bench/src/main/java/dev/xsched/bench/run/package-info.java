/** Runs experiments on a stage and keeps their records. */
@NullMarked
package dev.xsched.bench.run;

import org.jspecify.annotations.NullMarked;
