/** The demo: one foreground task beside one background task, without and with the scheduler. */
@NullMarked
package dev.xsched.cli.demo;

import org.jspecify.annotations.NullMarked;
