@NullMarked
package dev.xsched.queue;

import org.jspecify.annotations.NullMarked;
