/** What a policy sees and answers: pure data, no threads, no I/O. */
@NullMarked
package dev.xsched.policy;

import org.jspecify.annotations.NullMarked;
