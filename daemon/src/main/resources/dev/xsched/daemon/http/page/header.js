// The top of the page: facts, policy, numbers at a glance, devices, system hints.

import { ask } from "./connection.js";
import { $, element, keyed, setText, toast } from "./dom.js";
import { brief, duration, percent, simulated } from "./format.js";
import { quantile } from "./histogram.js";

let policies = [];
let changing = false;

export async function prepareHeader() {
  policies = await ask("GET", "/api/v1/policies");
  const select = $("policy");
  select.replaceChildren(...policies.map((p) => element("option", { value: p.name }, p.name)));
  policies.forEach((p, i) => (select.options[i].title = p.summary));
  select.addEventListener("change", async () => {
    changing = true;
    try {
      const set = await ask("PUT", "/api/v1/policy", { name: select.value });
      toast(`The policy is ${set.policy} now.`);
    } catch (e) {
      toast(e.message);
    }
    changing = false;
  });
}

export function showHeader(state, before) {
  setText($("facts"), `version ${state.version} · pid ${state.pid} · owner uid ${state.owner} · ` +
    `up ${duration(state.uptime_nanos)} · ${state.directory}`);
  const select = $("policy");
  if (!changing && document.activeElement !== select && select.value !== state.policy) {
    select.value = state.policy;
  }
  const shown = policies.find((p) => p.name === state.policy);
  setText($("policy-summary"), shown ? shown.summary : "");
  $("policy-failed").hidden = !state.policy_failed;
  showTiles(state, before);
  showDevices(state);
  showSystem(state);
}

function showTiles(state, before) {
  const now = state.statistics;
  const seconds = before ? (state.now_nanos - before.now_nanos) / 1e9 : 0;
  const rate = (label) => (seconds > 0 ? (now[label] - before.statistics[label]) / seconds : null);
  const perSecond = (label) => (rate(label) === null ? "-" : `${brief(rate(label))}/s`);
  const cpu = rate("cpu_nanos");
  const queues = state.programs.flatMap((p) => p.queues);
  const inState = (name) => queues.filter((q) => q.state === name).length;
  const tiles = [
    ["Queues running", `${inState("running")} of ${queues.length}`],
    ["Queues waiting", `${inState("waiting")}`],
    ["Decisions", perSecond("decisions")],
    ["Preemptions", perSecond("preemptions")],
    ["Decision P99", quantile(state.decision_nanos, 0.99)],
    ["Preemption P99", quantile(state.preemption_nanos, 0.99)],
    ["Daemon's CPU", cpu === null ? "-" : percent(cpu / 1e9)],
  ];
  keyed($("tiles"), tiles, (tile) => tile[0],
    (tile) => element("div", {}, element("dt", {}, tile[0]), element("dd")),
    (node, tile) => setText(node.lastChild, tile[1]));
}

function showDevices(state) {
  const devices = state.devices.length ? state.devices : [null];
  keyed($("devices"), devices, (d) => (d ? d.index : "none"),
    (d) => d
      ? element("li", {}, element("strong", {}, d.name),
          ...(simulated(d.name) ? [element("span", { class: "pill simulated" }, "simulated")] : []),
          element("span", { class: "soft" }))
      : element("li", { class: "soft" }, "None is in use."),
    (node, d) => {
      if (d) {
        setText(node.lastChild,
          d.ceiling === null ? "no ceiling" : `ceiling at rank ${d.ceiling}`);
      }
    });
}

function showSystem(state) {
  const hints = Object.entries(state.system_hints);
  keyed($("system"), hints.flatMap(([label, hint]) => [[label], [label, hint]]),
    (item) => item.length + item[0],
    (item) => (item.length === 1 ? element("dt", {}, item[0]) : element("dd")),
    (node, [label, hint]) => hint && setText(node, hintText(label, hint)));
}

const UNITS = {
  timeslice: "us", deadline: "us", laxity: "us", "slo-p99": "us", "slo-ratio": "/ 1000",
  utilization: "%",
};

/** A hint's value with its unit and where it came from. */
export function hintText(label, hint) {
  const value = hint.value === null ? "none" : `${hint.value}`;
  const unit = hint.value !== null && UNITS[label] ? ` ${UNITS[label]}` : "";
  return `${value}${unit} (${hint.source})`;
}
