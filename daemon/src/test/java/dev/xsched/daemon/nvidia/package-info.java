@NullMarked
package dev.xsched.daemon.nvidia;

import org.jspecify.annotations.NullMarked;
