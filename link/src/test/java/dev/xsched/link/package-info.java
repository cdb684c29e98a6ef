@NullMarked
package dev.xsched.link;

import org.jspecify.annotations.NullMarked;
