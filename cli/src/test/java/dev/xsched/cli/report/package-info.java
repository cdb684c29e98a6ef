@NullMarked
package dev.xsched.cli.report;

import org.jspecify.annotations.NullMarked;
