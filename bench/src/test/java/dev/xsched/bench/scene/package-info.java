@NullMarked
package dev.xsched.bench.scene;

import org.jspecify.annotations.NullMarked;
