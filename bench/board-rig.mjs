// A served board and a real Chromium, for the parts that measure the page.

import { spawn } from "node:child_process";
import chromiumPackage from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import { BIN, ENVIRONMENT } from "./product.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"];

export const launch = async () =>
  chromium.launch({ executablePath: await chromiumPackage.executablePath(), args: FLAGS, headless: true });

/** Starts `planwright board` there; `address` is good for one browser. */
export async function serve(root) {
  const child = spawn(process.execPath, [BIN, "board", "--no-open", "--json", "--port", "0"], {
    cwd: root,
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise((done, fail) => {
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const line = printed.split("\n").find((each) => each.includes('"address"'));
      if (line) done(JSON.parse(line).data.address);
    });
    child.on("exit", (code) => fail(new Error(`planwright board exited with ${code}: ${printed}`)));
  });
  const stop = () =>
    new Promise((done) => {
      child.once("exit", done);
      child.kill("SIGTERM");
    });
  return { address, origin: new URL(address).origin, pid: child.pid, stop };
}

/** Remembers long tasks, when an operation was heard, and which rows changed after it. */
function watchPage() {
  const seen = { longTasks: [], heardAt: 0, changes: [] };
  window.bench = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
  }).observe({ type: "longtask", buffered: true });
  const Real = window.EventSource;
  window.EventSource = class extends Real {
    addEventListener(name, listener, ...rest) {
      super.addEventListener(
        name,
        (event) => {
          if (name === "operation") {
            seen.heardAt = performance.now();
            seen.changes = [];
          }
          listener(event);
        },
        ...rest,
      );
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const row = element?.closest("[role=row][id]");
        if (row) seen.changes.push({ id: row.id, after: performance.now() - seen.heardAt });
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** A browser of its own, without anything cached. */
export async function openPage(browser, { width = 1440, height = 960 } = {}) {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.addInitScript(watchPage);
  return { page, context };
}

/** Everything that was asked for is there and drawn. */
export const settled = (page) =>
  page.locator("main[aria-busy=false]:not(:has(.loading)):has(h1)").waitFor({ state: "attached" });
