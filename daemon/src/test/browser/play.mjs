// Plays one scenario on the daemon's page in a real browser and exits with 0 if all went well.
//
//   node play.mjs --url URL --scenario NAME [--names a,b] [--browser PATH] [--pictures DIR]
//
// URL carries the token in its fragment, or none. The scenarios are in scenarios.mjs. What the
// scenario tells comes on standard output, one line each, for the test that started it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { scenarios } from "./scenarios.mjs";

const { values: options } = parseArgs({
  options: {
    url: { type: "string" },
    scenario: { type: "string" },
    names: { type: "string", default: "serve,train" },
    browser: { type: "string", default: "/usr/bin/chromium-headless-shell" },
    pictures: { type: "string" },
  },
});
const scenario = scenarios[options.scenario];
if (!options.url || !scenario) {
  console.error(`give --url and --scenario, one of ${Object.keys(scenarios).join(", ")}`);
  process.exit(2);
}

const profile = mkdtempSync(join(tmpdir(), "xsched-browser-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: options.browser,
  headless: true,
  viewport: { width: 1280, height: 900 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let status = 0;
try {
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(20_000);
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(`${error}`));
  page.on("request", (request) => {
    if (new URL(request.url()).host !== new URL(options.url).host) {
      complaints.push(`the page asked elsewhere: ${request.url()}`);
    }
  });
  await page.goto(options.url);
  await scenario({
    page,
    context,
    complaints,
    names: options.names.split(","),
    tell: (line) => console.log(line),
    picture: async (name) => {
      if (options.pictures) {
        await page.screenshot({ path: join(options.pictures, `${name}.png`), fullPage: true });
      }
    },
  });
} catch (e) {
  console.error(`scenario ${options.scenario} failed: ${e.stack ?? e}`);
  status = 1;
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
process.exit(status);
