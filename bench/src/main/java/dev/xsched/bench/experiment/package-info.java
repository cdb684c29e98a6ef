/**
 * The experiments of chapters 7 and 8 of the paper and the field tests, each one class, for every
 * kind of device.
 */
@NullMarked
package dev.xsched.bench.experiment;

import org.jspecify.annotations.NullMarked;
