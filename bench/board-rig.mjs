// A served board and a real Chromium, for the parts that measure the page.

import { spawn } from "node:child_process";
import chromiumPackage from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import { BIN, ENVIRONMENT } from "./product.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"];

export const launch = async () =>
  chromium.launch({ executablePath: await chromiumPackage.executablePath(), args: FLAGS, headless: true });

/** Starts `planwright board` there and signs in. */
export async function serve(root) {
  const child = spawn(process.execPath, [BIN, "board", "--no-open", "--json", "--port", "0"], {
    cwd: root,
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { address, code } = await new Promise((done, fail) => {
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const line = printed.split("\n").find((each) => each.includes('"address"'));
      if (line) done(JSON.parse(line).data);
    });
    child.on("exit", (code) => fail(new Error(`planwright board exited with ${code}: ${printed}`)));
  });
  const stop = () =>
    new Promise((done) => {
      child.once("exit", done);
      child.kill("SIGTERM");
    });
  const { origin } = new URL(address);
  return { origin, token: await signIn(origin, code), pid: child.pid, stop };
}

async function signIn(origin, code) {
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  return (await answer.json()).data.token;
}

/** Remembers long tasks, when an operation was heard, and which rows changed after it. */
function watchPage() {
  const seen = { longTasks: [], heardAt: 0, changes: [] };
  window.bench = seen;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
  }).observe({ type: "longtask", buffered: true });
  const real = window.fetch;
  window.fetch = async (path, init) => {
    const answer = await real(path, init);
    if (path !== "/api/events" || !answer.ok) return answer;
    const decoder = new TextDecoder();
    const noting = new TransformStream({
      transform(piece, controller) {
        if (decoder.decode(piece, { stream: true }).includes("event: operation")) {
          seen.heardAt = performance.now();
          seen.changes = [];
        }
        controller.enqueue(piece);
      },
    });
    return new Response(answer.body.pipeThrough(noting), answer);
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

/** A browser of its own, signed in, without anything cached. */
export async function openPage(browser, { token }, { width = 1440, height = 960 } = {}) {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.addInitScript((held) => sessionStorage.setItem("planwright.token", held), token);
  await page.addInitScript(watchPage);
  return { page, context };
}

/** Asks the board as the page does. Runs in the page. */
export const askInPage = async ({ path, input }) => {
  const began = performance.now();
  const answer = await fetch(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${sessionStorage.getItem("planwright.token")}`,
    },
    body: JSON.stringify(input),
  });
  if (!(await answer.json()).ok) throw new Error(`${path} was refused`);
  return performance.now() - began;
};

/** Everything that was asked for is there and drawn. */
export const settled = (page) =>
  page.locator("main[aria-busy=false]:not(:has(.loading)):has(h1)").waitFor({ state: "attached" });
