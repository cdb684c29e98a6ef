/**
 * Turns what was measured into results, criteria and series: pure functions, so that a planted
 * false win shows that they are not fooled.
 */
@NullMarked
package dev.xsched.bench.judge;

import org.jspecify.annotations.NullMarked;
