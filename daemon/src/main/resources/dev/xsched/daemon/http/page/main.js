// Puts the page together: events in, parts out.

import { timelineChanges } from "./changes.js";
import { hasToken, listen, takeToken } from "./connection.js";
import { $ } from "./dom.js";
import { editQueues, editSystem, prepareEditor } from "./editor.js";
import { prepareHeader, showHeader } from "./header.js";
import { showHistogram } from "./histogram.js";
import { showPrograms } from "./programs.js";
import { prepareTimeline, timelineLost, timelineRuns, timelineState } from "./timeline.js";

const RATES_OVER_NANOS = 2e9;

let latest = null;
let earlier = []; // states of the last seconds, for rates

function showRights() {
  const may = hasToken();
  $("read-only").hidden = may;
  $("policy").disabled = !may;
  document.body.classList.toggle("read-only", !may);
}

function showState(state) {
  const old = earlier.findLast((s) => state.now_nanos - s.now_nanos >= RATES_OVER_NANOS);
  earlier = earlier.filter((s) => !old || s.now_nanos >= old.now_nanos);
  earlier.push(state);
  latest = state;
  $("lost").hidden = true;
  document.body.classList.remove("stale");
  timelineState(state);
  showHeader(state, old ?? (earlier.length > 1 ? earlier[0] : null));
  showPrograms(state, editQueues);
  showHistogram("decision", state.decision_nanos);
  showHistogram("preemption", state.preemption_nanos);
}

function showLost(reason) {
  $("lost").textContent = `No connection to the daemon${reason ? ` (${reason})` : ""}. ` +
    "What you see is old; trying again ... " +
    "If the daemon was started anew, open the link that xsched status prints.";
  $("lost").hidden = false;
  document.body.classList.add("stale");
  earlier = [];
  timelineLost();
}

async function untilDone(prepare) {
  for (;;) {
    try {
      return await prepare();
    } catch (e) {
      showLost(e.message);
      await new Promise((later) => setTimeout(later, 2000));
    }
  }
}

async function start() {
  takeToken();
  showRights();
  addEventListener("hashchange", () => {
    takeToken();
    showRights();
  });
  addEventListener("xsched-token", showRights);
  $("edit-system").addEventListener("click", () => latest && editSystem(latest.system_hints));
  prepareTimeline();
  await untilDone(prepareHeader);
  await untilDone(prepareEditor);
  listen({ state: showState, runs: timelineRuns, changes: timelineChanges, lost: showLost });
}

start();
