/** The policies that come with XSched, one file each, found by the service loader. */
@NullMarked
package dev.xsched.policy.builtin;

import org.jspecify.annotations.NullMarked;
