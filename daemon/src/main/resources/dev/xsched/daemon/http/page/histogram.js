// How often a time was how long, as bars.

import { $, element, keyed, setClass, setText } from "./dom.js";
import { brief, duration } from "./format.js";

/** The bound below which that share of all values lies; the buckets do not tell it closer. */
export function quantile(histogram, share) {
  const total = histogram.counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return "-";
  }
  let below = 0;
  for (let i = 0; i < histogram.bounds.length; i++) {
    below += histogram.counts[i];
    if (below >= share * total) {
      return `< ${duration(histogram.bounds[i])}`;
    }
  }
  return duration(histogram.max_nanos);
}

export function showHistogram(id, histogram) {
  const root = $(id);
  if (!root.firstChild) {
    root.append(element("div", { class: "bars", role: "img" }),
      element("div", { class: "scale", "aria-hidden": "true" }),
      element("dl", { class: "quantiles" }));
  }
  const [bars, scale, facts] = root.children;
  const { bounds, counts } = histogram;
  // Empty buckets at both ends only make the others narrow.
  const used = counts.map((c, i) => (c > 0 ? i : -1)).filter((i) => i >= 0);
  const first = used.length ? Math.max(0, used[0] - 1) : 0;
  const last = used.length ? Math.min(counts.length - 1, used.at(-1) + 1) : counts.length - 1;
  const most = Math.max(1, ...counts);
  const shown = counts.map((c, i) => [i, c]).slice(first, last + 1);
  keyed(bars, shown, ([i]) => i, () => element("span"), (bar, [i, c]) => {
    bar.style.height = `${(100 * c) / most}%`;
    setClass(bar, c > 0 ? "some" : "");
    const from = i === 0 ? "0" : duration(bounds[i - 1]);
    bar.title = `${from} to ${i < bounds.length ? duration(bounds[i]) : "more"}: ${c}`;
  });
  const edge = (i) => (i < 0 ? "0" : i < bounds.length ? duration(bounds[i]) : "more");
  const step = Math.ceil(shown.length / 5);
  const edges = shown.map(([i]) => i - 1).concat(last).filter((_, i) => used.length && i % step === 0);
  keyed(scale, edges, (i) => i, () => element("span"), (label, i) => {
    setText(label, edge(i));
    label.style.left = `${(100 * (i + 1 - first)) / shown.length}%`;
    setClass(label, i === first - 1 ? "first" : i === last ? "last" : "");
  });
  const total = counts.reduce((sum, c) => sum + c, 0);
  const facts4 = [
    ["P50", quantile(histogram, 0.5)],
    ["P99", quantile(histogram, 0.99)],
    ["mean", total ? duration(histogram.sum_nanos / total) : "-"],
    ["longest", total ? duration(histogram.max_nanos) : "-"],
    ["count", brief(total)],
  ];
  bars.setAttribute("aria-label", total
    ? `Histogram: ${facts4.map((fact) => fact.join(" ")).join(", ")}` : "Nothing measured yet");
  keyed(facts, facts4, (fact) => fact[0],
    (fact) => element("div", {}, element("dt", {}, fact[0]), element("dd")),
    (node, fact) => setText(node.lastChild, fact[1]));
}
