@NullMarked
package dev.xsched.cli;

import org.jspecify.annotations.NullMarked;
