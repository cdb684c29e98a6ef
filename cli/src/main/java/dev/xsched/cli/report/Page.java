package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A page in one file: it loads nothing, so it opens offline and can be sent by mail. Light or dark
 * as its reader's system is.
 */
public final class Page {
  private final String title;
  private final List<Markup> body = new ArrayList<>();

  public Page(String title) {
    this.title = title;
    body.add(Markup.element("h1").text(title));
  }

  /** Returns a chart as an image file of its own, with the page's colours and its legend. */
  public static String figure(Chart chart) {
    Legend legend = Legend.of(List.of(chart));
    int above = legend.height(chart.width());
    int height = above + chart.height();
    return Markup.element("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("viewBox", "0 0 %d %d".formatted(chart.width(), height))
            .with("role", "img")
            .add(
                Markup.element("title").text(chart.heading().spoken()),
                Markup.element("style").text(style()),
                Markup.element("rect")
                    .with("width", chart.width())
                    .with("height", height)
                    .with("fill", "var(--back)"),
                legend.svg(chart.width()),
                chart
                    .markup()
                    .with("y", above)
                    .with("width", chart.width())
                    .with("height", chart.height())
                    .with("class", ""))
            .render()
        + "\n";
  }

  private static String style() {
    try (InputStream in = Page.class.getResourceAsStream("page.css")) {
      return new String(
          Objects.requireNonNull(in, "page.css is missing").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A remark that matters less than the rest. */
  public Page note(String text) {
    return add(Markup.element("p").with("class", "note").text(text));
  }

  public Page bullets(List<String> lines) {
    Element list = Markup.element("ul");
    for (String line : lines) {
      list = list.add(Markup.element("li").text(line));
    }
    return add(list);
  }

  public Page add(Markup part) {
    body.add(part);
    return this;
  }

  public String render() {
    Element head =
        Markup.element("head")
            .add(
                Markup.element("meta").with("charset", "utf-8"),
                Markup.element("meta")
                    .with("name", "viewport")
                    .with("content", "width=device-width, initial-scale=1"),
                Markup.element("title").text(title),
                Markup.element("style").text(style()));
    Element html =
        Markup.element("html").with("lang", "en").add(head, Markup.element("body").add(body));
    return "<!DOCTYPE html>\n" + html.render() + "\n";
  }
}
