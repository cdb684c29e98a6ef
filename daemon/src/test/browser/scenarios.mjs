// What a user does on the page, and what must be seen then. Each throws when something is not so.

import assert from "node:assert/strict";

const card = (page, name) =>
  page.locator(".program").filter({ has: page.locator(".name", { hasText: name }) }).first();

const stateOf = (page, name) => card(page, name).locator("tbody tr").first().locator("td .pill");

async function waitForPrograms(page, names) {
  for (const name of names) {
    await card(page, name).waitFor();
  }
}

/** Sets one hint of a program in its dialog. */
async function setHint(page, name, hint, value) {
  await card(page, name).getByRole("button", { name: "Change hints of" }).first().click();
  await page.locator(`#field-${hint}`).fill(`${value}`);
  await page.locator("#editor-save").click();
  await page.locator("#editor").waitFor({ state: "hidden" });
}

/** The number of pixels of the canvas that are of a program's colour. */
const paintedPixels = (page) => page.evaluate(() => {
  const canvas = document.getElementById("timeline");
  // Read from a copy: the browser warns of reading from the one that is drawn.
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let strong = 0;
  for (let i = 0; i < data.length; i += 4) {
    const most = Math.max(data[i], data[i + 1], data[i + 2]);
    const least = Math.min(data[i], data[i + 1], data[i + 2]);
    strong += data[i + 3] > 200 && most - least > 60 ? 1 : 0;
  }
  return strong;
});

/** Pixels in the first two rows of the timeline's canvas: nothing but marks reaches there. */
const inkAbove = (page) => page.evaluate(() => {
  const canvas = document.getElementById("timeline");
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const style = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  const ink = [1, 3, 5].map((i) => parseInt(style.slice(i, i + 2), 16));
  const { data } = context.getImageData(0, 2, canvas.width, 1);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) {
    found += ink.every((value, j) => Math.abs(value - data[i + j]) < 90) && data[i + 3] > 90;
  }
  return found;
});

async function waitForPaint(page) {
  for (let i = 0; i < 100; i++) {
    if ((await paintedPixels(page)) > 500) {
      return;
    }
    await page.waitForTimeout(100);
  }
  assert.fail("the timeline stayed blank");
}

export const scenarios = {
  /** Loads, shows the programs and draws; in light, dark and on a phone. */
  async shows({ page, complaints, names, picture, tell }) {
    await waitForPrograms(page, names);
    await waitForPaint(page);
    assert.equal(await page.evaluate(() => location.hash), "", "the token left the address");
    assert.match(await page.locator("#devices").innerText(), /simulated/);
    assert.match(await page.locator("#facts").innerText(), /pid \d+/);
    assert.match(await page.locator("#decision .quantiles").innerText(), /P99/);
    await page.waitForTimeout(2500);
    await picture("light");
    const before = await paintedPixels(page);
    await page.locator("#pause").click();
    assert.equal(await page.locator("#pause").getAttribute("aria-pressed"), "true");
    assert.ok(before > 500);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(200);
    await picture("dark");
    await page.setViewportSize({ width: 375, height: 800 });
    await page.waitForTimeout(200);
    const [content, screen] = await page.evaluate(() =>
      [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= screen, `the page is ${content} wide on a screen of ${screen}`);
    await picture("phone");
    assert.deepEqual(complaints, []);
    tell("shown");
  },

  /** Changes a hint of a program, of a queue and of the system, a setting, and the policy. */
  async edits({ page, complaints, names, picture }) {
    const [first, second] = names;
    await waitForPrograms(page, names);
    await setHint(page, second, "priority", 7);
    const priority = card(page, second).locator('tbody tr:first-child td[data-label="Priority"]');
    await priority.filter({ hasText: /^7\s*web$/ }).waitFor();
    await card(page, first).getByRole("button", { name: "Change hints of queue" }).first().click();
    await page.locator("#field-deadline").fill("2500");
    await page.locator("#field-window_micros").fill("250");
    await picture("editor");
    await page.keyboard.press("Enter");
    await card(page, first).getByText("deadline 2500 us (web)").waitFor();
    await card(page, first).getByText("250 us", { exact: true }).waitFor();
    await page.locator("#edit-system").click();
    await page.locator("#field-timeslice").fill("7");
    await page.locator("#editor-save").click();
    await page.locator("#editor-error", { hasText: "timeslice" }).waitFor();
    await page.locator("#field-timeslice").fill("7000");
    await page.locator("#editor-save").click();
    await page.locator("#system", { hasText: "7000 us (web)" }).waitFor();
    await page.locator("#policy").selectOption("PUP");
    await page.locator("#toast", { hasText: "PUP" }).waitFor();
    await page.locator("#policy").blur();
    await page.waitForFunction(() =>
      document.getElementById("policy-summary").textContent.length > 0
        && document.getElementById("policy").value === "PUP");
    assert.deepEqual(complaints, []);
  },

  /** The test changes what keeps the first program's queue apart, twice. */
  async mechanisms({ page, complaints, names, picture, tell }) {
    await waitForPrograms(page, names);
    const told = page.locator("#changes li");
    await told.filter({ hasText: /ago: gate \(nobody else\)$/ }).waitFor();
    assert.equal(await told.count(), 1);
    const before = await inkAbove(page);
    tell("gate is told");
    await told.filter({ hasText: /ago: slices, slice 1 us \(<b>the highest<\/b>\)$/ }).waitFor();
    assert.match(await told.first().innerText(), new RegExp(`^${names[0]}, .* ago: slices`));
    assert.equal(await page.locator("#changes b").count(), 0);
    assert.ok((await inkAbove(page)) > before, "each change is a mark");
    await card(page, names[0]).getByText("has 1, 2; slices 1 us").waitFor();
    await picture("mechanisms");
    assert.deepEqual(complaints, []);
  },

  /** Without a token everything can be seen and nothing changed. */
  async readonly({ page, complaints, names, picture }) {
    await waitForPrograms(page, names);
    await page.locator("#read-only", { hasText: "xsched status" }).waitFor();
    assert.ok(await page.locator("#policy").isDisabled());
    assert.equal(await page.locator("button.edit:visible").count(), 0);
    await picture("read-only");
    assert.deepEqual(complaints, []);
  },

  /** A token that is not valid is told, and the page turns read-only. */
  async stranger({ page, names }) {
    await waitForPrograms(page, names);
    await card(page, names[0]).getByRole("button", { name: "Change hints of" }).first().click();
    await page.locator("#field-priority").fill("3");
    await page.locator("#editor-save").click();
    await page.locator("#editor-error", { hasText: "token is not valid" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#read-only").waitFor();
  },

  /** What a program calls itself is text and nothing else. */
  async hostile({ page, context, complaints, names, picture }) {
    await page.locator(".program .name").first().waitFor();
    await waitForPaint(page);
    const shown = await page.locator(".program .name").allInnerTexts();
    assert.deepEqual(shown.sort(), [...names].sort());
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
    await page.getByRole("button", { name: "Change hints of" }).first().click();
    await page.locator("#editor-title").waitFor();
    assert.equal(await page.locator("dialog img").count(), 0);
    await picture("hostile");
    assert.deepEqual(complaints, []);
    assert.equal(context.pages().length, 1);
  },

  /** Nothing runs: the page says how to start something. */
  async empty({ page, complaints, picture }) {
    await page.locator("#empty", { hasText: "xsched run --priority 10 -- program" }).waitFor();
    await page.waitForTimeout(600);
    await picture("empty");
    assert.deepEqual(complaints, []);
  },

  /** The daemon goes away (when it is told to) and comes back. */
  async reconnects({ page, names, tell, picture }) {
    await waitForPrograms(page, names);
    tell("connected");
    const lost = page.locator("#lost", { hasText: "No connection" });
    await lost.waitFor();
    assert.match(await lost.innerText(), /xsched status/, "where another daemon is");
    await picture("lost");
    tell("lost");
    await page.locator("#lost").waitFor({ state: "hidden" });
    await waitForPrograms(page, names);
    tell("back");
  },

  /**
   * With a real daemon and two real programs that both always have work: whoever gets the higher
   * priority on the page runs, the other waits; then the other way round.
   */
  async live({ page, complaints, names, picture, tell }) {
    await waitForPrograms(page, names);
    const [first, second] = names;
    for (const [winner, loser, value] of [[first, second, 20], [second, first, 40]]) {
      await setHint(page, winner, "priority", value);
      await stateOf(page, winner).filter({ hasText: "running" }).waitFor();
      await stateOf(page, loser).filter({ hasText: "waiting" }).waitFor();
      tell(`${winner} runs, ${loser} waits`);
    }
    await waitForPaint(page);
    await picture("live");
    assert.deepEqual(complaints, []);
  },
};
