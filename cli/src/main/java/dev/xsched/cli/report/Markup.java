package dev.xsched.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A piece of HTML or SVG. As a tree it cannot be rendered other than well-formed, and what comes
 * from outside cannot be anything but text.
 */
public sealed interface Markup {
  /** Elements that HTML closes by itself. */
  Set<String> VOID = Set.of("br", "hr", "meta");

  Pattern UNREADABLE =
      Pattern.compile("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]");

  static Element element(String name) {
    return new Element(name, Map.of(), List.of());
  }

  /** Returns it as text that browsers and XML parsers read alike. */
  default String render() {
    StringBuilder out = new StringBuilder();
    renderTo(out);
    return out.toString();
  }

  void renderTo(StringBuilder out);

  /** Text, which is escaped when it is rendered. */
  record Text(String text) implements Markup {
    @Override
    public void renderTo(StringBuilder out) {
      out.append(escape(text));
    }
  }

  /** An element. The methods that add something return a new one. */
  record Element(String name, Map<String, String> attributes, List<Markup> children)
      implements Markup {
    public Element with(String attribute, Object value) {
      Map<String, String> more = new LinkedHashMap<>(attributes);
      more.put(
          attribute, value instanceof Double number ? Numbers.fixed(number, 2) : value.toString());
      return new Element(name, more, children);
    }

    public Element add(Markup... children) {
      return add(List.of(children));
    }

    public Element add(List<? extends Markup> more) {
      List<Markup> all = new ArrayList<>(children);
      all.addAll(more);
      return new Element(name, attributes, all);
    }

    public Element text(String text) {
      return add(new Text(text));
    }

    @Override
    public void renderTo(StringBuilder out) {
      out.append('<').append(name);
      attributes.forEach(
          (key, value) ->
              out.append(' ').append(key).append("=\"").append(escape(value)).append('"'));
      if (VOID.contains(name)) {
        out.append("/>");
        return;
      }
      out.append('>');
      children.forEach(child -> child.renderTo(out));
      out.append("</").append(name).append('>');
    }
  }

  /** What XML cannot hold even as an escape becomes the sign for an unreadable letter. */
  private static String escape(String text) {
    return UNREADABLE
        .matcher(text)
        .replaceAll("\ufffd")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
