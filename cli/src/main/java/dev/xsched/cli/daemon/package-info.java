/** The commands that start the daemon, ask it and steer it; they speak its REST interface. */
@NullMarked
package dev.xsched.cli.daemon;

import org.jspecify.annotations.NullMarked;
