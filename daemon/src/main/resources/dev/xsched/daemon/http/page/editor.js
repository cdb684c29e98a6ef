// The dialog in which hints and launch settings are changed. Only what was changed is sent.

import { ask } from "./connection.js";
import { $, element, toast } from "./dom.js";

let hints = {};
let save = async () => {};

const CONFIG = {
  level: "1 block, 2 deactivate, 3 interrupt, 0 the best that the queue has",
  window_micros: "the most work in flight in microseconds, 0 for the program's own default",
  window_commands: "the most commands in flight, 0 for no such bound",
  window_batch: "commands per synchronisation point, 0 for the default",
};

export async function prepareEditor() {
  const api = await ask("GET", "/openapi.json");
  hints = api.components.schemas.HintValues.properties;
  $("editor-cancel").addEventListener("click", () => $("editor").close());
  $("editor-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    $("editor-save").disabled = true;
    try {
      await save();
      $("editor").close();
    } catch (e) {
      $("editor-error").textContent = e.message;
    }
    $("editor-save").disabled = false;
  });
}

/** Opens the dialog for a program or a queue. */
export function editQueues(target, title, queues) {
  const current = (label) => common(queues.map((q) => q.hints[label]?.value ?? null));
  const sources = (label) => common(queues.map((q) => q.hints[label]?.source ?? "default"));
  const hintFields = fieldsOf("queue", current, sources);
  const configFields = Object.entries(CONFIG).map(([name, meaning]) =>
    field(name, name.replace("_", " "), meaning, "", common(queues.map((q) => q[name])),
      { minimum: 0, maximum: name === "level" ? 3 : undefined }));
  open(title, queues.length > 1 ? `Holds for all ${queues.length} queues, and those to come.` : "",
    [...hintFields, element("h2", { class: "group" }, "Launching"), ...configFields],
    async () => {
      const changedHints = changed(hintFields);
      const config = changed(configFields);
      if (Object.values(config).includes(null)) {
        throw new Error("launch settings cannot be empty; give 0 for the default");
      }
      if (Object.keys(changedHints).length) {
        await ask("PATCH", "/api/v1/hints", { target, hints: changedHints, source: "web" });
      }
      if (Object.keys(config).length) {
        await ask("PATCH", "/api/v1/config", { target, ...config });
      }
      toast(`${title}: saved.`);
    });
}

export function editSystem(systemHints) {
  const fields = fieldsOf("system", (label) => systemHints[label]?.value ?? null,
    (label) => systemHints[label]?.source ?? "default");
  open("System hints", "They hold for every policy that uses them.", fields, async () => {
    const values = changed(fields);
    if (Object.keys(values).length) {
      await ask("PATCH", "/api/v1/hints", { target: "system", hints: values, source: "web" });
      toast("System hints: saved.");
    }
  });
}

/** What all have in common; undefined where they differ. */
function common(values) {
  return values.every((v) => v === values[0]) ? values[0] : undefined;
}

function fieldsOf(scope, current, source) {
  return Object.entries(hints)
    .filter(([, schema]) => schema["x-scope"] === scope)
    .map(([label, schema]) => field(label, label.replaceAll("-", " "), schema.description,
      source(label), current(label), schema));
}

function field(name, label, meaning, source, value, schema) {
  const shown = value === null || value === undefined ? "" : `${value}`;
  const placeholder = value === undefined ? "differs" : "none";
  const input = element("input", { id: `field-${name}`, name, type: "number", step: "1",
    inputmode: "numeric", placeholder, value: shown, "aria-describedby": `about-${name}` });
  if (schema.minimum !== undefined) input.min = schema.minimum;
  if (schema.maximum !== undefined) input.max = schema.maximum;
  input.dataset.before = shown;
  input.addEventListener("input", () =>
    input.classList.toggle("changed", input.value !== input.dataset.before));
  const about = source ? `${meaning}; now from ${source}` : meaning;
  return element("div", { class: "field" }, element("label", { for: input.id }, label),
    input, element("span", { class: "soft", id: `about-${name}` }, about));
}

/** The values of the fields that were changed; null for those that were emptied. */
function changed(fields) {
  const values = {};
  for (const input of fields.map((f) => f.querySelector("input"))) {
    if (!input.checkValidity()) {
      throw new Error(`${input.name.replace(/[-_]/g, " ")}: ${input.validationMessage}`);
    }
    if (input.value !== input.dataset.before) {
      values[input.name] = input.value === "" ? null : Number(input.value);
    }
  }
  return values;
}

function open(title, note, fields, onSave) {
  $("editor-title").textContent = title;
  $("editor-note").textContent = note;
  $("editor-error").textContent = "";
  $("editor-fields").replaceChildren(...fields);
  save = onSave;
  $("editor").showModal();
  const first = $("editor-fields").querySelector("input");
  first.focus();
  first.select();
}
