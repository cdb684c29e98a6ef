@NullMarked
package dev.xsched.cli.daemon;

import org.jspecify.annotations.NullMarked;
