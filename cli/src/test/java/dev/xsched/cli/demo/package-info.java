@NullMarked
package dev.xsched.cli.demo;

import org.jspecify.annotations.NullMarked;
