@NullMarked
package dev.xsched.cli.report.record;

import org.jspecify.annotations.NullMarked;
