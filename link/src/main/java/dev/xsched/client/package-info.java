/** How a Java program lets the machine's daemon schedule its queues. */
@NullMarked
package dev.xsched.client;

import org.jspecify.annotations.NullMarked;
