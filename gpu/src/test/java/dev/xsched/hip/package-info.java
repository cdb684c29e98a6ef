@NullMarked
package dev.xsched.hip;

import org.jspecify.annotations.NullMarked;
