/** The daemon: knows every program and queue of the machine, and orders who runs. */
@NullMarked
package dev.xsched.daemon;

import org.jspecify.annotations.NullMarked;
