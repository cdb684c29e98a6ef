@NullMarked
package dev.xsched.bench.run;

import org.jspecify.annotations.NullMarked;
