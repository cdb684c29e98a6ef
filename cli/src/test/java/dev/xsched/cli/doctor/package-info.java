@NullMarked
package dev.xsched.cli.doctor;

import org.jspecify.annotations.NullMarked;
