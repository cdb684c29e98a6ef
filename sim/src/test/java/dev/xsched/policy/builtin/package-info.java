/** Policies on virtual devices, where a test must reach into them. */
@NullMarked
package dev.xsched.policy.builtin;

import org.jspecify.annotations.NullMarked;
