@NullMarked
package dev.xsched.bench.experiment;

import org.jspecify.annotations.NullMarked;
