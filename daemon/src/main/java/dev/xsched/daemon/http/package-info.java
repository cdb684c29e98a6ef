/**
 * The daemon over HTTP: REST, live events, metrics and the page.
 *
 * <p>{@link dev.xsched.daemon.http.HttpFace} is the door. A request goes through the {@code
 * Dispatcher}, which turns away what must not come in and turns every failure into one line; a
 * {@code Route} says what is served, for the dispatcher and for the description alike.
 */
@NullMarked
package dev.xsched.daemon.http;

import org.jspecify.annotations.NullMarked;
