// Signs in as a person would, in tabs and browsers, and after the board was started again. And a page of another port that wants in.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
      await page.getByRole("alert").getByText("This is not the code. 4 tries are left.").waitFor();
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

  it("holds in other tabs of the same browser, and in no other browser", async () => {
    const view = await openPage(browser, shop.another());
    const { page, trouble } = view;
    const tab = await page.context().newPage();
    await tab.goto(`${shop.origin}/plan/tree`);
    await settled(tab);
    expect(await tokenIn(tab)).toBe(await tokenIn(page));
    await page.close();
    await tab.reload();
    await settled(tab);
    const other = await browser.newContext();
    const stranger = await other.newPage();
    await stranger.goto(shop.origin);
    await stranger.getByRole("heading", { name: "Sign in to the board" }).waitFor();
    expect(trouble).toEqual([]);
    await other.close();
    await view.close();
  });

  it("is asked for once in all tabs when the board was started again, and nothing that you typed is lost", async () => {
    const view = await openPage(browser, shop.another());
    const { page } = view;
    const tab = await page.context().newPage();
    await tab.goto(`${shop.origin}/plan/tree`);
    await settled(tab);
    await tab.keyboard.press("c");
    const title = tab.getByRole("textbox", { name: "Title of the new node" });
    await title.fill("Half a sentence");
    await shop.stop();
    const { code } = await shop.serve();
    for (const each of [page, tab])
      await each
        .getByText("Your sign-in ended, as it does when the board is started again. Type the new code.")
        .waitFor();
    await typeCode(page, code);
    for (const each of [page, tab]) await settled(each);
    expect(await tab.getByText("Type the new code").count()).toBe(0);
    expect(await title.inputValue()).toBe("Half a sentence");
    shop.ok(["edit", "FEAT-001", "--title", "Log in"]);
    await tab.getByText("Log in").first().waitFor();
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
});
