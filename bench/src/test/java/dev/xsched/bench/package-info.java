/** Measurements of XSched's own speed, and the records they leave. */
@NullMarked
package dev.xsched.bench;

import org.jspecify.annotations.NullMarked;
