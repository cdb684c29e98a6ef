@NullMarked
package dev.xsched.cli.report.figure;

import org.jspecify.annotations.NullMarked;
