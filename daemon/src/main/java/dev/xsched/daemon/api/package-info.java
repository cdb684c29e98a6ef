/** What people and tools can see of the daemon and ask of it; REST and the page speak these. */
@NullMarked
package dev.xsched.daemon.api;

import org.jspecify.annotations.NullMarked;
