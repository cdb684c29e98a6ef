/** The rules of docs and style that a machine can check: which part may see which. */
@NullMarked
package dev.xsched.architecture;

import org.jspecify.annotations.NullMarked;
