/** Records of measurements as they are read: of any age, from Java or from Python. */
@NullMarked
package dev.xsched.bench.record;

import org.jspecify.annotations.NullMarked;
