/** What the machine has: Java, kernel, drivers, devices; each finding with what to do about it. */
@NullMarked
package dev.xsched.cli.doctor;

import org.jspecify.annotations.NullMarked;
