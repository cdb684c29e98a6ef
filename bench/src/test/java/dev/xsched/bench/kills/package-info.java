@NullMarked
package dev.xsched.bench.kills;

import org.jspecify.annotations.NullMarked;
