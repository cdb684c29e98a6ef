/** JSON as all parts write and read it. */
@NullMarked
package dev.xsched.json;

import org.jspecify.annotations.NullMarked;
