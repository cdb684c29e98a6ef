package dev.xsched.daemon;

import dev.xsched.link.ControlDirectory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a daemon is to be.
 *
 * @param policy null for that of the last daemon in this folder, else HPF
 * @param listen where the REST interface and the page are; port 0 for any; null for none at all
 * @param limits the file that says who may ask for what; there need not be one
 */
public record DaemonOptions(
    ControlDirectory directory,
    @Nullable String policy,
    @Nullable InetSocketAddress listen,
    Path limits,
    String version) {}
