/** One command for somebody with a device: what works there, in one report and one archive. */
@NullMarked
package dev.xsched.cli.validate;

import org.jspecify.annotations.NullMarked;
