// Signs in as a person would, in tabs and browsers, and after the board was started again. And a page of another port that wants in.

import { generateKeyPairSync } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idOfBrowser } from "../../src/verbs/services/known-browsers.js";
import { launch, openPage, settled, typeCode, violations } from "./chromium.js";
import { listenOnAnotherPort } from "./other-port.js";
import { Served } from "./served.js";

const shop = new Served();
let browser: Browser;

beforeAll(async () => {
  shop.ok(["init", "--mission", "Sell things"]);
  shop.ok(["add", "Login", "--tier", "feature"]);
  shop.ok(["add", "Write the form", "--parent", "FEAT-001", "--check", "true"]);
  await shop.serve();
  browser = await launch();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await shop.stop();
  shop.remove();
});

const tokenIn = (page: Page): Promise<string> => page.evaluate("sessionStorage.getItem('planwright.token')");

/** What a script of the page gets of the key. */
const READ_OUT = `(async () => {
  const kept = await new Promise((done) => {
    indexedDB.open("planwright").onsuccess = ({ target }) => {
      const read = target.result.transaction("keys").objectStore("keys").get("browser");
      read.onsuccess = () => done(read.result);
    };
  });
  const exported = (kind) => crypto.subtle.exportKey(kind, kept.own).then(() => "read out", ({ name }) => name);
  const { id, own } = kept;
  const forms = { pkcs8: await exported("pkcs8"), jwk: await exported("jwk"), json: JSON.stringify(own) };
  return { id, extractable: own.extractable, usages: own.usages, ...forms };
})()`;

/** Of the page of the other port, when it has tried everything. */
const learntBy = (page: Page): Promise<string[]> => page.evaluate("learnt");

const approvalOf = (id: string): unknown => shop.ok(["show", id]).approval;

describe("the sign-in", () => {
  it.each(["light", "dark"] as const)(
    "asks for the code, says what is wrong with it, and lets you in: %s",
    async (theme) => {
      const context = await browser.newContext({ viewport: { width: 1340, height: 860 }, colorScheme: theme });
      const page = await context.newPage();
      await page.goto(`${shop.origin}/plan/tree`);
      const field = page.getByRole("textbox", { name: "Code" });
      await field.waitFor();
      expect(await page.locator("input:focus").count()).toBe(1);
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: `artifacts/board/sign-in-${theme}.png` });
      const { code } = shop.another();
      await typeCode(page, "7K2M");
      await page.getByRole("alert").getByText("A code has eight letters and digits").waitFor();
      await typeCode(page, code === "ZZZZ-ZZZZ" ? "YYYY-YYYY" : "ZZZZ-ZZZZ");
      await page.getByRole("alert").getByText("This is not the code. Look at it again").waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: `artifacts/board/sign-in-wrong-${theme}.png` });
      for (const width of [720, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await page.screenshot({ path: `artifacts/board/sign-in-${theme}-${width}.png` });
        expect(await page.evaluate("document.scrollingElement.scrollWidth")).toBe(width);
      }
      await page.setViewportSize({ width: 1340, height: 860 });
      await typeCode(page, `  ${code.toLowerCase().replace("-", "")} `);
      await settled(page);
      expect(page.url()).toBe(`${shop.origin}/plan/tree`);
      await context.close();
    },
  );

  it("leaves its token in the storage of the tab, and nowhere else", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    const token = await tokenIn(page);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate("document.cookie + JSON.stringify(localStorage) + location.href + name")).not.toContain(
      token,
    );
    expect(await page.content()).not.toContain(token);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url() + (request.postData() ?? "")));
    await page.reload();
    await settled(page);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.join()).not.toContain(token);
    await view.close();
  });

  it("leaves a key in the browser that signs, and that no script can read out", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    expect(await page.evaluate(READ_OUT)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      extractable: false,
      usages: ["sign"],
      pkcs8: "InvalidAccessError",
      jwk: "InvalidAccessError",
      json: "{}",
    });
    await view.close();
  });

  it("holds in other tabs of the same browser, and in no other browser", async () => {
    const view = await openPage(browser, shop.another());
    const { page, trouble } = view;
    const tab = await page.context().newPage();
    await tab.goto(`${shop.origin}/plan/tree`);
    await settled(tab);
    await page.close();
    await tab.reload();
    await settled(tab);
    const other = await browser.newContext();
    const stranger = await other.newPage();
    await stranger.goto(shop.origin);
    await stranger.getByRole("heading", { name: "Sign in to the board" }).waitFor();
    // Also not with the token of the first one, which only reads there.
    await stranger.evaluate(`sessionStorage.setItem("planwright.token", "${await tokenIn(tab)}")`);
    await stranger.reload();
    await stranger.getByRole("heading", { name: "Sign in to the board" }).waitFor();
    expect(trouble).toEqual([]);
    await other.close();
    await view.close();
  });

  it("holds when the board was started again: no tab asks for a code, and you go on deciding", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    const tab = await page.context().newPage();
    await tab.goto(`${shop.origin}/plan/tree`);
    await settled(tab);
    await tab.keyboard.press("c");
    const title = tab.getByRole("textbox", { name: "Title of the new node" });
    await title.fill("Half a sentence");
    const before = await tokenIn(tab);
    await shop.stop();
    await page.getByText("Reconnecting, last heard").waitFor();
    await shop.serve();
    for (const each of [page, tab]) await settled(each);
    expect(await tokenIn(tab)).not.toBe(before);
    expect(await tab.getByRole("textbox", { name: "Code" }).count()).toBe(0);
    expect(await title.inputValue()).toBe("Half a sentence");
    await title.fill("A whole sentence");
    await tab.keyboard.press("Enter");
    await expect
      .poll(() => shop.ok(["list"]).nodes.map((node: { title: string }) => node.title))
      .toContain("A whole sentence");
    shop.ok(["undo"]);
    await view.close();
  });

  it("is asked for once in all tabs when you removed the browser, and nothing that you typed is lost", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    const tab = await page.context().newPage();
    await tab.goto(`${shop.origin}/plan/tree`);
    await settled(tab);
    await tab.keyboard.press("c");
    const title = tab.getByRole("textbox", { name: "Title of the new node" });
    await title.fill("Half a sentence");
    shop.ok(["browsers", "remove", "all"]);
    shop.ok(["edit", "FEAT-001", "--title", "Log in secretly"]);
    for (const each of [page, tab])
      await each.getByText("This browser is not signed in any more. Type a new code.").waitFor();
    expect(await tab.getByText("Log in secretly").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: "artifacts/board/signed-out-light.png" });
    await typeCode(page, shop.another().code);
    for (const each of [page, tab]) await settled(each);
    expect(await tab.getByText("Type a new code").count()).toBe(0);
    expect(await title.inputValue()).toBe("Half a sentence");
    await tab.getByText("Log in secretly").first().waitFor();
    shop.ok(["undo"]);
    await view.close();
  });

  it("follows the plan again when you come back to a page that was put away", async () => {
    const view = await openPage(browser, shop.another());
    const { page, trouble } = view;
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
    await page.getByText("Reconnecting, last heard").waitFor();
    shop.ok(["edit", "FEAT-001", "--title", "Log in again"]);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.getByText("Log in again").first().waitFor();
    await settled(page);
    shop.ok(["undo"]);
    expect(trouble).toEqual([]);
    await view.close();
  });
});

describe("a page of a program on another port", () => {
  it("gets nothing that opens the board, whatever it tries in your browser", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    const token = await tokenIn(page);
    const other = await listenOnAnotherPort(shop.origin);
    const tab = await page.context().newPage();
    await tab.goto(other.address);
    const learnt = await learntBy(tab);
    // In the tab of the board itself, and opened from there.
    const [popup] = await Promise.all([
      page.context().waitForEvent("page"),
      page.evaluate(`void window.open(${JSON.stringify(other.address)})`),
    ]);
    learnt.push(...(await learntBy(popup)));
    await page.goto(other.address);
    learnt.push(...(await learntBy(page)));

    const all = JSON.stringify([learnt, other.headers]);
    expect(all).not.toContain(token);
    expect(all).not.toMatch(/authorization|FEAT-001"|Sell things|heard/);
    expect(learnt.filter((each) => /^cors|storage|document|'s text/.test(each))).toSatisfy((tried: string[]) =>
      tried.every((each) => /refused|: (?:none|null|undefined|\{\})$/.test(each)),
    );
    const secrets = [...new Set(other.headers.flatMap(({ cookie = "" }) => cookie.split(/[;=]\s*/)))];
    for (const secret of ["", ...secrets]) {
      const headers = { "content-type": "application/json", cookie: secret, authorization: `Bearer ${secret}` };
      const body = JSON.stringify({ references: ["FEAT-001"], yes: true });
      const asked = await fetch(`${shop.origin}/api/operations/approve`, { method: "POST", headers, body });
      expect(asked.status).toBe(401);
    }
    expect(approvalOf("TASK-00001")).toBeNull();
    // You are still signed in.
    await page.goto(shop.origin);
    await settled(page);
    await view.close();
  });

  it("changes nothing with the token of your tab, in your browser or from a program", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    const token = await tokenIn(page);
    const other = await listenOnAnotherPort(shop.origin);
    const tab = await page.context().newPage();
    await tab.goto(other.address);
    const approve = JSON.stringify({ references: ["FEAT-001"], yes: true });
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const address = `${shop.origin}/api/operations/approve`;
    for (const mode of ["cors", "no-cors"]) {
      const asked = JSON.stringify({ method: "POST", mode, headers, body: approve });
      const said = await tab.evaluate(`fetch(${JSON.stringify(address)}, ${asked}).then((a) => a.text(), String)`);
      expect(said).toMatch(/^$|TypeError: Failed to fetch/);
    }
    // Its pages have a key store of their own.
    expect(await tab.evaluate("indexedDB.databases().then((all) => all.length)")).toBe(0);
    const asked = await fetch(address, { method: "POST", headers, body: approve });
    expect([asked.status, ((await asked.json()) as Refused).error.reason]).toEqual([403, "needs-signature"]);
    expect(approvalOf("TASK-00001")).toBeNull();
    await view.close();
  });
});

interface Refused {
  readonly error: { readonly reason: string };
}

describe("a program that saw a request of your page", () => {
  it("cannot have it done again, nor anything else with its signature", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    await view.visit("/plan/tree");
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "Title of the new node" }).fill("Once");
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith("/api/operations/add")),
      page.keyboard.press("Enter"),
    ]);
    const count = (): number => shop.ok(["log"]).operations.length;
    await expect.poll(() => shop.ok(["log"]).operations[0].verb).toBe("add");
    const before = count();
    const post = async (path: string, body: string): Promise<string> => {
      const { authorization = "", "planwright-signature": signature = "" } = await sent.allHeaders();
      const headers = { "content-type": "application/json", authorization, "planwright-signature": signature };
      const answered = await fetch(`${shop.origin}/api/operations/${path}`, { method: "POST", headers, body });
      return ((await answered.json()) as Refused).error.reason;
    };
    expect(await post("add", sent.postData() ?? "")).toBe("late-signature");
    expect(await post("approve", JSON.stringify({ references: ["FEAT-001"], yes: true }))).toBe("wrong-signature");
    expect(count()).toBe(before);
    shop.ok(["undo"]);
    await view.close();
  });
});

describe("a program that had the port while no board ran", () => {
  it("cannot put its own page into a tab that you left open, and the page warns you", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    const { id } = (await page.evaluate(READ_OUT)) as { readonly id: string };
    const { port } = new URL(shop.origin);
    // All of the page comes from the board that served it.
    const parts = readdirSync("dist/board/assets").filter((name) => name.endsWith(".js"));
    const loaded = (): Promise<string[]> =>
      page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))");
    await expect.poll(loaded).toEqual(expect.arrayContaining(parts));
    await shop.stop();
    const asked: string[] = [];
    const squatter = createServer(({ url = "" }, response) => {
      if (!url.startsWith("/api/")) asked.push(url);
      const [type, data] = url.startsWith("/api/events")
        ? ["text/event-stream", ""]
        : [
            "application/json",
            { root: "/elsewhere", op: 0, browser: id, token: "x".repeat(43), proof: "", nonce: "n", time: 1 },
          ];
      response.writeHead(200, { "content-type": type });
      if (data === "") response.write("retry: 1000\n\n");
      else response.end(JSON.stringify({ ok: true, data }));
    });
    await new Promise<void>((done) => squatter.listen(Number(port), "127.0.0.1", done));
    try {
      await page.getByText("Something other than your board answers at this address.").waitFor();
      await page.keyboard.press("2");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      expect(asked).toEqual([]);
    } finally {
      squatter.closeAllConnections();
      await new Promise((done) => squatter.close(done));
      await shop.serve();
    }
    await page.keyboard.press("Escape");
    await settled(page);
    await expect.poll(() => page.getByText("Something other than your board").count()).toBe(0);
    await view.close();
  });

  it("has left a key in your browser that the board never takes", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = publicKey.export({ format: "der", type: "spki" }).toString("base64url");
    const planted = { id: idOfBrowser(key), own: privateKey.export({ format: "jwk" }) };
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${shop.origin}/icon.svg`);
    await page.evaluate(`(${PLANT})(${JSON.stringify(planted)})`);
    await page.goto(shop.origin);
    await typeCode(page, shop.another().code);
    await settled(page);
    const { id } = (await page.evaluate(READ_OUT)) as { readonly id: string };
    expect(id).not.toBe(planted.id);
    const known = new Set(shop.ok(["browsers"]).map((each: { id: string }) => each.id));
    expect([known.has(id), known.has(planted.id)]).toEqual([true, false]);
    await context.close();
  });
});

/** Leaves a key that somebody else knows. Runs in a page of the board's address. */
const PLANT = `async ({ id, own }) => {
  const kind = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("jwk", own, kind, false, ["sign"]);
  const mac = { name: "HMAC", hash: "SHA-256" };
  const shared = await crypto.subtle.importKey("raw", new Uint8Array(32), mac, false, ["verify"]);
  await new Promise((done) => {
    const opening = indexedDB.open("planwright", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onsuccess = () => {
      const storing = opening.result.transaction("keys", "readwrite");
      storing.objectStore("keys").put({ id, own: key, shared }, "browser");
      storing.oncomplete = () => done();
    };
  });
}`;

describe("a page of another site that points its own name at this machine", () => {
  it("gets neither the page nor anything else of the board", async () => {
    const misled = await launch("--host-resolver-rules=MAP attacker.example 127.0.0.1");
    try {
      const page = await misled.newPage();
      const { port } = new URL(shop.origin);
      const answered = await page.goto(`http://attacker.example:${port}/`);
      expect([answered?.status(), await page.textContent("body")]).toEqual([
        403,
        expect.stringContaining("foreign-request"),
      ]);
      const said = await page.evaluate("fetch('/api/session/nonce').then((answer) => answer.status)");
      expect(said).toBe(403);
    } finally {
      await misled.close();
    }
  });
});
