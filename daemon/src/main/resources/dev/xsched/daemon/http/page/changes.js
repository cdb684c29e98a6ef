// How queues on a GPU are kept apart: a change of that is a mark on the lane, and words below.

import { $, element, keyed, setText } from "./dom.js";
import { duration, slice } from "./format.js";

const MOST_KEPT = 1024; // as many as the daemon keeps
const MOST_TOLD = 6;

const changes = new Map(); // by number: after a lost connection the same ones come again

export function timelineChanges(news) {
  for (const change of news) {
    changes.set(change.number, change);
  }
  for (const number of changes.keys()) {
    if (changes.size <= MOST_KEPT) {
      break;
    }
    changes.delete(number);
  }
}

export function forgetChanges() {
  changes.clear();
}

function shown(from, to) {
  return [...changes.values()].filter((c) => c.at_nanos >= from && c.at_nanos <= to);
}

/** Calls back with each change of a time. */
export function eachChange(from, to, mark) {
  shown(from, to).forEach((change) => mark(change.queue, change.at_nanos));
}

/** In words what the marks say, the latest first. */
export function tellChanges(from, to, programs) {
  const names = new Map(programs.map((p) => [p.id, p.name]));
  const latest = shown(from, to).filter((c) => names.has(c.program)).slice(-MOST_TOLD).reverse();
  keyed($("changes"), latest, (c) => c.number, () => element("li"), (node, c) => {
    const length = c.slice_micros ? `, slice ${slice(c.slice_micros)}` : "";
    setText(node, `${names.get(c.program)}, ${duration(to - c.at_nanos)} ago: ` +
      `${c.mechanism}${length} (${c.reason})`);
  });
}
