@NullMarked
package dev.xsched.gpu;

import org.jspecify.annotations.NullMarked;
