/** The command that gathers a folder of records into one report, as a page and as Markdown. */
@NullMarked
package dev.xsched.cli.report.experiments;

import org.jspecify.annotations.NullMarked;
