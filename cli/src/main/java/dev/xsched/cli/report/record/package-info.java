/** Records of measurements as the report reads them: of any age, from Java or from Python. */
@NullMarked
package dev.xsched.cli.report.record;

import org.jspecify.annotations.NullMarked;
