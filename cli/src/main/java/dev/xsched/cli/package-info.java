/** The command line: parses, prints, and turns errors into one line. */
@NullMarked
package dev.xsched.cli;

import org.jspecify.annotations.NullMarked;
