/** Numbers made readable: percentiles, tables, and charts on a page that needs nothing else. */
@NullMarked
package dev.xsched.cli.report;

import org.jspecify.annotations.NullMarked;
