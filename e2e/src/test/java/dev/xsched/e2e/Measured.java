package dev.xsched.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests whose verdict is a ratio of what was measured: a machine that stalls decides it, too, so
 * they are tried again. Nothing else is: where events come at random, what fails once in many runs
 * is a fault of ours.
 */
@Tag("measured")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Measured {}
