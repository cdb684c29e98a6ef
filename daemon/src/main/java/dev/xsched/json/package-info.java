/** JSON as all parts write it. */
@NullMarked
package dev.xsched.json;

import org.jspecify.annotations.NullMarked;
