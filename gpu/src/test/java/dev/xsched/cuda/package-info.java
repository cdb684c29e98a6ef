@NullMarked
package dev.xsched.cuda;

import org.jspecify.annotations.NullMarked;
