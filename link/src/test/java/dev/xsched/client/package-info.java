@NullMarked
package dev.xsched.client;

import org.jspecify.annotations.NullMarked;
