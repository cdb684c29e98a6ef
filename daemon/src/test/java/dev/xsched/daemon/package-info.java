@NullMarked
package dev.xsched.daemon;

import org.jspecify.annotations.NullMarked;
