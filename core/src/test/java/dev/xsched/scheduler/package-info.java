@NullMarked
package dev.xsched.scheduler;

import org.jspecify.annotations.NullMarked;
