// A served board and a real Chromium, for the parts that measure the page.

import { spawn } from "node:child_process";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
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
  return { origin, ...(await signIn(origin, code)), pid: child.pid, stop };
}

/** The token, and the key that came with it, for every browser that is opened. */
async function signIn(origin, code) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = publicKey.export({ format: "der", type: "spki" }).toString("base64url");
  const { nonce, time } = (await (await fetch(`${origin}/api/session/nonce`)).json()).data;
  const body = JSON.stringify({ code, key });
  const hash = createHash("sha256").update(body).digest("hex");
  const text = ["planwright board", new URL(origin).port, "POST", "/api/session", hash, nonce, time].join("\n");
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "planwright-signature": `${nonce} ${time} ${signature.toString("base64url")}`,
    },
    body,
  });
  const { token, browser, shared } = (await answer.json()).data;
  return { token, key: { id: browser, own: privateKey.export({ format: "jwk" }), shared } };
}

/** Puts the key where the page looks for it. Runs in a page of the same origin. */
async function storeKey({ id, own, shared }) {
  const kind = { name: "ECDSA", namedCurve: "P-256" };
  const imported = await crypto.subtle.importKey("jwk", own, kind, false, ["sign"]);
  const bytes = Uint8Array.from(atob(shared.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  const mac = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  await new Promise((done, failed) => {
    const opening = indexedDB.open("planwright", 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("keys"));
    opening.addEventListener("success", () => {
      const storing = opening.result.transaction("keys", "readwrite");
      storing.objectStore("keys").put({ id, own: imported, shared: mac }, "browser");
      storing.addEventListener("complete", done);
      storing.addEventListener("error", failed);
    });
  });
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
export async function openPage(browser, { origin, token, key }, { width = 1440, height = 960 } = {}) {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(`${origin}/icon.svg`);
  await page.evaluate(storeKey, key);
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
