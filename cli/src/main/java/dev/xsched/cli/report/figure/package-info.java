/** The figures of chapters 7 and 8 and of the field tests, drawn from records and the paper. */
@NullMarked
package dev.xsched.cli.report.figure;

import org.jspecify.annotations.NullMarked;
