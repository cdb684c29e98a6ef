@NullMarked
package dev.xsched.cli.validate;

import org.jspecify.annotations.NullMarked;
