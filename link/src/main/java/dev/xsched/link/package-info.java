/** The memory and the socket by which programs and the daemon meet, and the kernel calls for it. */
@NullMarked
package dev.xsched.link;

import org.jspecify.annotations.NullMarked;
