package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.ArrayList;
import java.util.List;

/**
 * A page in one file: it loads nothing, so it opens offline and can be sent by mail. Light or dark
 * as its reader's system is.
 */
public final class Page {
  // Line colours after Okabe and Ito, who chose them so that colour-blind people tell them apart.
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #ffffff;
        --rule: #d9dee3; --s0: #0072b2; --s1: #d55e00; --s2: #00835b; --s3: #cc79a7; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa4ae;
        --paper: #0f1419; --rule: #30363d; --s0: #56b4e9; --s1: #e69f00; --s2: #2fc598; } }
      body { margin: 2rem auto; max-width: 52rem; padding: 0 1rem; background: var(--paper);
        color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
      h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.1rem; margin-top: 2rem; }
      .note { color: var(--soft); }
      .badge { border: 1px solid var(--s1); border-radius: 1rem; padding: 0.1rem 0.7rem; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.35rem 0.6rem; text-align: right; border-bottom: 1px solid var(--rule);
        white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; }
      svg { width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 13px; }
      .grid { stroke: var(--rule); } .series { stroke-width: 2.2; }
      .series-0 { stroke: var(--s0); } .series-1 { stroke: var(--s1); }
      .series-2 { stroke: var(--s2); } .series-3 { stroke: var(--s3); }
      .mark-0 { fill: var(--s0); } .mark-1 { fill: var(--s1); }
      .mark-2 { fill: var(--s2); } .mark-3 { fill: var(--s3); }
      """;

  private final String title;
  private final List<Markup> body = new ArrayList<>();

  public Page(String title) {
    this.title = title;
    body.add(Markup.element("h1").text(title));
  }

  /** Returns a chart as an image file of its own, with the page's colours. */
  public static String figure(LineChart chart) {
    Element style = Markup.element("style").text(STYLE);
    return chart.markup().with("xmlns", "http://www.w3.org/2000/svg").add(style).render() + "\n";
  }

  public Page heading(String text) {
    return add(Markup.element("h2").text(text));
  }

  public Page paragraph(String text) {
    return add(Markup.element("p").text(text));
  }

  /** A remark that matters less than the rest. */
  public Page note(String text) {
    return add(Markup.element("p").with("class", "note").text(text));
  }

  /** A word that nobody must miss, such as "simulated". */
  public Page badge(String text) {
    return add(Markup.element("p").add(Markup.element("span").with("class", "badge").text(text)));
  }

  public Page table(Table table) {
    return add(Markup.element("div").with("class", "wide").add(table.markup()));
  }

  public Page chart(LineChart chart) {
    return add(chart.markup());
  }

  public Page bullets(List<String> lines) {
    Element list = Markup.element("ul");
    for (String line : lines) {
      list = list.add(Markup.element("li").text(line));
    }
    return add(list);
  }

  private Page add(Markup part) {
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
                Markup.element("style").text(STYLE));
    Element html =
        Markup.element("html").with("lang", "en").add(head, Markup.element("body").add(body));
    return "<!DOCTYPE html>\n" + html.render() + "\n";
  }
}
