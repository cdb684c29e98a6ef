// Who ran when over the last seconds, moving. A lane per queue, or per program when there are many.

import { eachChange, forgetChanges, tellChanges } from "./changes.js";
import { $, element, keyed, setText } from "./dom.js";
import { count, percent } from "./format.js";
import { colourOf } from "./programs.js";

const SPAN_NANOS = 10e9;
const OPEN = 9e18; // a run that lasts ends at 2^63-1
const MOST_LANES = 24;
const LANE = 22;
const AXIS = 20;
const FRAME_MILLIS = 33;
const SHARES_MILLIS = 500;

const runs = new Map(); // by queue and start, so that an ended run replaces its open self
let programs = [];
let daemon = 0;
let clock = { nanos: 0, millis: 0 };
let pausedAt = null;
let lastFrame = 0;
let lastShares = 0;

/** The daemon's time now, as far as we know. */
const now = () => clock.nanos + (performance.now() - clock.millis) * 1e6;

export function prepareTimeline() {
  $("pause").addEventListener("click", () => {
    pausedAt = pausedAt === null ? now() : null;
    $("pause").setAttribute("aria-pressed", `${pausedAt !== null}`);
    $("pause").textContent = pausedAt === null ? "Pause" : "Go on";
  });
  requestAnimationFrame(frame);
}

export function timelineState(state) {
  clock = { nanos: state.now_nanos, millis: performance.now() };
  programs = state.programs;
  if (daemon !== state.pid) {
    daemon = state.pid; // another one counts its queues anew
    runs.clear();
    forgetChanges();
  }
}

export function timelineRuns(news) {
  for (const run of news) {
    runs.set(`${run.queue} ${run.start_nanos} ${run.interrupted}`, run);
  }
  // What is too old for now is dropped, but not what stands still before the reader's eyes.
  for (const [key, run] of runs) {
    const old = run.end_nanos < now() - 1.2 * SPAN_NANOS;
    const frozen = pausedAt !== null && run.start_nanos < pausedAt
      && run.end_nanos > pausedAt - SPAN_NANOS;
    if (old && !frozen) {
      runs.delete(key);
    }
  }
}

/** After a lost connection, ends that we missed must not show as runs that last. */
export function timelineLost() {
  for (const [key, run] of runs) {
    if (run.end_nanos > OPEN) {
      runs.delete(key);
    }
  }
}

function lanes() {
  const queues = programs.flatMap((p) => p.queues.map((q) => ({
    key: q.id, program: p.id, queues: [q.id],
    label: p.queues.length > 1 ? `${p.name} · ${q.name || q.slot}` : p.name,
  })));
  const all = queues.length <= MOST_LANES ? queues : programs.map((p) => ({
    key: p.id, program: p.id, queues: p.queues.map((q) => q.id), label: p.name,
  }));
  return all.slice(0, MOST_LANES);
}

function frame(millis) {
  requestAnimationFrame(frame);
  if (millis - lastFrame < FRAME_MILLIS || clock.nanos === 0) {
    return;
  }
  lastFrame = millis;
  const to = pausedAt ?? now();
  draw(to);
  if (millis - lastShares > SHARES_MILLIS) {
    lastShares = millis;
    showShares(to);
    tellChanges(to - SPAN_NANOS, to, programs);
  }
}

function draw(to) {
  const canvas = $("timeline");
  const shown = lanes();
  const height = Math.max(1, shown.length) * LANE + AXIS;
  const width = canvas.clientWidth;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  g.textBaseline = "middle";
  const left = Math.min(170, width * 0.3);
  const x = (nanos) => left + ((nanos - (to - SPAN_NANOS)) / SPAN_NANOS) * (width - left);

  g.fillStyle = colour("--soft");
  g.strokeStyle = colour("--rule");
  g.beginPath();
  for (let second = 0; second <= 10; second += width < 500 ? 5 : 2) {
    const at = Math.round(x(to - second * 1e9)) - 0.5;
    g.moveTo(at, 0);
    g.lineTo(at, height - AXIS);
    g.textAlign = second === 0 ? "right" : "center";
    g.fillText(second === 0 ? "now" : `-${second} s`, second === 0 ? width : at, height - 8);
  }
  g.stroke();

  const row = new Map();
  shown.forEach((lane, i) => lane.queues.forEach((queue) => row.set(queue, i)));
  g.textAlign = "left";
  shown.forEach((lane, i) => {
    g.fillStyle = colour("--ink");
    g.fillText(fitting(g, lane.label, left - 10), 0, i * LANE + LANE / 2);
  });
  shown.forEach((lane, i) => {
    g.fillStyle = colour("--idle-bg");
    g.fillRect(left, i * LANE + 4, width - left, LANE - 8);
  });
  if (shown.length === 0) {
    g.fillStyle = colour("--soft");
    g.fillText("no queues yet", 0, LANE / 2);
  }
  const painted = new Map();
  for (const run of runs.values()) {
    const i = row.get(run.queue);
    if (i === undefined || run.start_nanos > to) {
      continue;
    }
    const from = Math.max(left, x(run.start_nanos));
    const end = Math.min(width, x(Math.min(run.end_nanos, to)));
    if (end >= left && run.interrupted) {
      g.fillStyle = colour("--ink"); // a line below: it may be ready meanwhile, its gate open
      g.fillRect(from, i * LANE + LANE - 4, Math.max(0.6, end - from), 2);
    } else if (end >= left) {
      const program = shown[i].program;
      if (!painted.has(program)) {
        painted.set(program, colour(`--p${colourOf(program)}`));
      }
      g.fillStyle = painted.get(program);
      g.fillRect(from, i * LANE + 4, Math.max(0.6, end - from), LANE - 8);
    }
  }
  g.fillStyle = colour("--ink");
  eachChange(to - SPAN_NANOS, to, (queue, nanos) => {
    if (row.has(queue)) {
      g.fillRect(x(nanos) - 1, row.get(queue) * LANE + 1, 2, LANE - 2);
    }
  });
}

/** Text cut so that it fits. */
function fitting(g, text, width) {
  if (g.measureText(text).width <= width) {
    return text;
  }
  let length = text.length;
  while (length > 1 && g.measureText(`${text.slice(0, length)}…`).width > width) {
    length--;
  }
  return `${text.slice(0, length)}…`;
}

/** In words what the canvas shows: each program's part of the time. */
function showShares(to) {
  const from = to - SPAN_NANOS;
  const shares = programs.map((program) => {
    const own = new Set(program.queues.map((q) => q.id));
    const spans = [...runs.values()]
      .filter((r) => own.has(r.queue) && !r.interrupted && r.end_nanos > from && r.start_nanos < to)
      .map((r) => [Math.max(from, r.start_nanos), Math.min(to, r.end_nanos)])
      .sort((a, b) => a[0] - b[0]);
    let covered = 0;
    let end = from;
    for (const [start, stop] of spans) {
      covered += Math.max(0, stop - Math.max(start, end));
      end = Math.max(end, stop);
    }
    return { id: program.id, name: program.name, share: covered / SPAN_NANOS,
      interrupts: interruptText(own, from, to) };
  });
  keyed($("legend"), shares.slice(0, MOST_LANES), (s) => s.id,
    (s) => element("li", {}, element("span", { class: `swatch c${colourOf(s.id)}` }),
      element("span")),
    (node, s) => setText(node.lastChild,
      `${s.name} ran ${percent(s.share)} of the time${s.interrupts}`));
  $("timeline").setAttribute("aria-label", shares.length
    ? `Timeline: ${shares.map((s) => `${s.name} ran ${percent(s.share)}`).join(", ")}`
    : "Timeline, empty: no program is registered");
}

function interruptText(queues, from, to) {
  const off = [...runs.values()].filter((r) =>
    r.interrupted && queues.has(r.queue) && r.end_nanos > from && r.start_nanos < to);
  return off.length ? `, interrupted ${count(off.length)} times (${off.at(-1).reason})` : "";
}
