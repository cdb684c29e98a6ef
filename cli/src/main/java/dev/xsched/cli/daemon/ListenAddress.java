package dev.xsched.cli.daemon;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads where to listen. */
final class ListenAddress {
  private static final Pattern FORM = Pattern.compile("(\\[[^]]+]|[^:]+):(\\d{1,5})");

  private ListenAddress() {}

  static InetSocketAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches() && Integer.parseInt(matcher.group(2)) <= 65_535) {
      InetSocketAddress address =
          new InetSocketAddress(
              matcher.group(1).replaceAll("[\\[\\]]", ""), Integer.parseInt(matcher.group(2)));
      if (!address.isUnresolved()) {
        return address;
      }
    }
    throw new IllegalArgumentException(
        "cannot listen on '%s'; give HOST:PORT, such as 127.0.0.1:8787".formatted(text));
  }
}
