@NullMarked
package dev.xsched.opencl;

import org.jspecify.annotations.NullMarked;
