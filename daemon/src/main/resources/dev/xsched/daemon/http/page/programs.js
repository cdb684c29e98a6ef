// The programs and their queues, live.

import { element, keyed, setClass, setText, $ } from "./dom.js";
import { brief, count, duration, LEVELS, simulated, slice } from "./format.js";
import { hintText } from "./header.js";

const COLOURS = 6;
const colours = new Map();

/** A program keeps its colour for as long as the page is open. */
export function colourOf(programId) {
  if (!colours.has(programId)) {
    colours.set(programId, colours.size % COLOURS);
  }
  return colours.get(programId);
}

export function showPrograms(state, edit) {
  $("empty").hidden = state.programs.length > 0;
  const devices = new Map(state.devices.map((d) => [d.index, d.name]));
  keyed($("program-list"), state.programs, (p) => p.id, makeProgram, (card, program) => {
    updateProgram(card, program, devices, edit);
  });
}

function makeProgram(program) {
  const card = element("article", { class: "card program" });
  const edit = element("button", { type: "button", class: "edit" }, "Change hints");
  card.append(
    element("div", { class: "title" },
      element("span", { class: `swatch c${colourOf(program.id)}` }),
      element("span", { class: "name" }), element("span"), element("span", { class: "soft" }), edit),
    element("div", { class: "wide" }, element("table", {}, head(), element("tbody"))));
  return card;
}

const COLUMNS = ["Queue", "State", "Priority", "Other hints", "Level", "Window", "Commands", "Used",
  "Held back", ""];

function head() {
  return element("thead", {}, element("tr", {}, ...COLUMNS.map((c) => element("th", {}, c))));
}

function updateProgram(card, program, devices, edit) {
  card.dataset.pid = program.pid;
  const [, name, state, facts, button] = card.firstChild.children;
  setText(name, program.name);
  const shown = programState(program);
  setText(state, shown);
  setClass(state, `pill ${shown}`);
  setText(facts, `pid ${program.pid} · ${program.user} · nice ${program.nice} · ` +
    `used ${duration(program.used_nanos)}`);
  button.setAttribute("aria-label", `Change hints of ${program.name}, pid ${program.pid}`);
  button.onclick = () => edit(`${program.pid}`, `${program.name}, all queues`, program.queues);
  const body = card.querySelector("tbody");
  const rows = program.queues.length ? program.queues : [null];
  keyed(body, rows, (q) => (q ? q.id : "none"), makeRow, (row, queue) => {
    if (queue) {
      updateRow(row, queue, program, devices, edit);
    }
  });
}

function programState(program) {
  if (program.stopped) {
    return "stopped";
  }
  return ["running", "waiting"].find((s) => program.queues.some((q) => q.state === s)) ?? "idle";
}

/** A cell with a line and a smaller one below it. */
function makeRow(queue) {
  if (!queue) {
    return element("tr", {}, element("td", { class: "soft", colspan: COLUMNS.length },
      "no queues yet"));
  }
  const row = element("tr", { class: "queue" });
  for (const column of COLUMNS) {
    row.append(element("td", column ? { "data-label": column } : {},
      element("span", { class: "main" }), element("span", { class: "sub" })));
  }
  row.lastChild.replaceChildren(element("button", { type: "button", class: "edit" }, "Change"));
  return row;
}

function updateRow(row, queue, program, devices, edit) {
  const cell = (column, main, sub) => {
    const td = row.children[COLUMNS.indexOf(column)];
    setText(td.firstChild, main);
    setText(td.lastChild, sub);
    return td.firstChild;
  };
  const device = devices.get(queue.device) ?? `device ${queue.device}`;
  cell("Queue", queue.name || `queue ${queue.slot}`,
    `${program.pid}/${queue.slot} · ${device}${simulated(device) ? " (simulated)" : ""}`);
  const since = queue.state === "idle" ? "" : `work for ${duration(queue.ready_nanos)}`;
  setClass(cell("State", queue.state, since), `pill ${queue.state}`);
  const priority = queue.hints.priority;
  const shownPriority = priority.value === -256 ? "does not execute" : `${priority.value}`;
  setClass(cell("Priority", shownPriority, priority.source), "number priority");
  const others = Object.entries(queue.hints)
    .filter(([label, hint]) => label !== "priority" && hint.source !== "default");
  const line = others.map(([l, h]) => `${l} ${hintText(l, h)}`).join(", ");
  setClass(cell("Other hints", line || "-", goalText(queue.goal)).parentNode, line ? "" : "nothing");
  cell("Level", `${queue.level} ${LEVELS[queue.level] ?? ""}`,
    `has ${queue.levels.join(", ")}${mechanismText(queue)}`);
  row.children[COLUMNS.indexOf("Level")].title = queue.reason;
  cell("Window", queue.window_micros ? `${count(queue.window_micros)} us` : "its own",
    queue.window_commands
      ? `${queue.window_commands} commands, batch ${queue.window_batch || "default"}` : "");
  cell("Commands", brief(queue.completed), `${count(queue.launched - queue.completed)} in flight`);
  row.children[COLUMNS.indexOf("Commands")].title =
    `submitted ${count(queue.submitted)}, launched ${count(queue.launched)}, ` +
    `completed ${count(queue.completed)}, ${duration(queue.command_nanos)} each`;
  cell("Used", duration(queue.used_nanos), `busy ${duration(queue.busy_nanos)}`);
  cell("Held back", duration(queue.gate_wait_nanos), `${count(queue.gate_waits)} times`);
  const button = row.lastChild.firstChild;
  const target = `${program.pid}/${queue.slot}`;
  button.setAttribute("aria-label", `Change hints of queue ${target}`);
  button.onclick = () => edit(target, `${program.name}, queue ${target}`, [queue]);
}

/** What keeps it apart from others on a GPU. */
function mechanismText(queue) {
  const length = queue.slice_micros ? ` ${slice(queue.slice_micros)}` : "";
  return queue.mechanism ? `; ${queue.mechanism}${length}` : "";
}

/** How a queue fares with its latency goal, and what that costs the others. */
function goalText(goal) {
  if (!goal) {
    return "";
  }
  return goal.goal_nanos === 0 ? "learning what it takes alone"
    : `P99 ${duration(goal.current_nanos)} of ${duration(goal.goal_nanos)}, ` +
      `others run in ${goal.background_percent} % of its time`;
}
