// Numbers as people read them.

/** Three significant digits: 0.0312, 3.12, 31.2, 312. */
export function significant(value) {
  if (value === 0 || !Number.isFinite(value)) {
    return value === 0 ? "0" : "-";
  }
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.max(0, 2 - magnitude));
}

/** A duration in the unit that suits it. */
export function duration(nanos) {
  if (nanos < 1e3) return `${Math.round(nanos)} ns`;
  if (nanos < 1e6) return `${significant(nanos / 1e3)} us`;
  if (nanos < 1e9) return `${significant(nanos / 1e6)} ms`;
  if (nanos < 60e9) return `${significant(nanos / 1e9)} s`;
  const seconds = Math.floor(nanos / 1e9);
  const parts = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60, seconds % 60];
  const first = parts.findIndex((part) => part > 0);
  return parts.slice(first, first + 2).map((part, i) => part + "dhms"[first + i]).join(" ");
}

/** A time slice of a GPU; these are round numbers. */
export function slice(micros) {
  return micros < 1e4 ? `${micros} us` : micros < 1e6 ? `${micros / 1e3} ms` : `${micros / 1e6} s`;
}

/** A count with its thousands apart. */
export function count(value) {
  return value.toLocaleString("en-US");
}

/** A big count in few characters. */
export function brief(value) {
  if (value < 10000) return count(Math.round(value));
  if (value < 1e6) return `${significant(value / 1e3)} k`;
  return value < 1e9 ? `${significant(value / 1e6)} M` : `${significant(value / 1e9)} G`;
}

export function percent(share) {
  return `${Math.round(100 * share)} %`;
}

/** Whether a device is played by a model. */
export function simulated(deviceName) {
  return /^(shared|sim):/.test(deviceName);
}

export const LEVELS = ["auto", "block", "deactivate", "interrupt"];
