@NullMarked
package dev.xsched.daemon.http;

import org.jspecify.annotations.NullMarked;
