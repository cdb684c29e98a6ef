/**
 * What XSched is compared with where the original cannot run: imitations, named as what they are.
 */
@NullMarked
package dev.xsched.bench.baseline;

import org.jspecify.annotations.NullMarked;
