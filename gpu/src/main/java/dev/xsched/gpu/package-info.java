/** What the bindings of all drivers have in common. */
@NullMarked
package dev.xsched.gpu;

import org.jspecify.annotations.NullMarked;
