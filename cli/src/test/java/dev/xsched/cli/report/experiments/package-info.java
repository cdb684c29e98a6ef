@NullMarked
package dev.xsched.cli.report.experiments;

import org.jspecify.annotations.NullMarked;
