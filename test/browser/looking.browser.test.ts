// Looks at every view of the board as a person would: light and dark, wide and narrow, with the keyboard, now and in the past.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoardPage, launch, openPage, sayItIsMe, settled, violations } from "./chromium.js";
import { Served } from "./served.js";
import { seedShop } from "./shop-plan.js";

const shop = new Served();
let browser: Browser;
let address: string;
let newAddress: () => Promise<string>;

beforeAll(async () => {
  seedShop(shop);
  address = await shop.serve();
  browser = await launch();
  const first = await openPage(browser, address);
  newAddress = async () => {
    const made = (await first.page.evaluate(
      "fetch('/api/session/address', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then((r) => r.json())",
    )) as { data: { address: string } };
    return made.data.address;
  };
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await shop.stop();
  shop.remove();
});

const open = async (view: Parameters<typeof openPage>[2] = {}): Promise<BoardPage> =>
  openPage(browser, await newAddress(), view);

const VIEWS: readonly (readonly [name: string, path: string, shows: string])[] = [
  ["now", "/now", "Waits for you"],
  ["tree", "/plan/tree/TASK-00017", "Retry with backoff for 24 hours"],
  ["board", "/plan/board", "Webhooks that arrive"],
  ["graph", "/plan/graph", "Longest path"],
  ["timeline", "/plan/timeline", "Webhooks that arrive"],
  ["planning", "/planning", "Sign in with a passkey"],
  ["history", "/history/81", "It can be undone"],
  ["insights", "/insights", "Tasks done by day"],
  ["settings", "/settings", "Agents and roles"],
  ["attempt", "/attempt/ATT-00011", "Transcript"],
];

const WIDTHS = [1340, 1024, 390] as const;

describe("every view", () => {
  it.each(VIEWS)(
    "%s shows what it is about in both themes and all widths, without errors or barriers",
    async (name, path, shows) => {
      const view = await open();
      const { page } = view;
      await view.visit(path);
      await page.locator("main").getByText(shows).first().waitFor();
      await view.picture(`${name}-light`);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("t");
      await page.locator(":root[data-theme=dark]").waitFor();
      await view.picture(`${name}-dark`);
      expect(await violations(page, ["color-contrast"])).toEqual([]);
      await page.keyboard.press("t");
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width < 640 ? 844 : 800 });
        await view.picture(`${name}-${width}`);
        expect([width, await page.evaluate("document.scrollingElement.scrollWidth")]).toEqual([width, width]);
      }
      expect(await violations(page)).toEqual([]);
      expect(view.trouble).toEqual([]);
      await view.close();
    },
  );
});

describe("with the keyboard alone", () => {
  it("goes through the views, the tree, the panel and the palette", async () => {
    const view = await open();
    const { page } = view;
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // On Now digits choose the answer to a question; elsewhere they choose a view.
    await view.visit("/insights");
    await press("2");
    await page.getByRole("treegrid").waitFor();
    await press("j", "j", "Enter");
    await expect.poll(() => page.url()).toContain("/plan/tree/FEAT-00");
    await press("Escape");
    await expect.poll(() => page.url()).toMatch(/\/plan\/tree$/);
    await press("g", "b");
    await page.locator(".kanban").waitFor();
    await press("g", "t", "/");
    await page.keyboard.type("status:rejected");
    await press("Enter");
    await expect.poll(() => page.getByRole("row").count()).toBe(5);
    await press("t");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await press("t", "Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("spreadsheet");
    await page.getByRole("option", { name: /TASK-00023/ }).waitFor();
    await view.picture("palette-light");
    await press("Enter");
    await expect.poll(() => page.url()).toContain("TASK-00023");
    await press("1");
    await page.locator(".card").nth(1).waitFor();
    const second = await page.locator(".card").nth(1).getAttribute("data-card");
    await press("j", "o");
    await expect.poll(() => page.url()).not.toMatch(/now|TASK-00023/);
    expect(second).not.toBeNull();
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});

describe("a past moment", () => {
  it("shows the plan as it was, read-only, and leads back", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree/TASK-00001?at=6");
    await page.getByText("You see the plan as it was after operation 6").waitFor();
    await expect.poll(() => page.locator("#row-TASK-00001 .sign").getAttribute("aria-label")).not.toBe("done");
    expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
    await view.picture("past-light");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".then-bar").count()).toBe(0);
    await page.locator("#row-FEAT-001 .twist").click();
    await expect.poll(() => page.locator("#row-TASK-00001 .sign").getAttribute("aria-label")).toBe("done");
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});

describe("the approval", () => {
  it("shows every command and the hash, and approves nothing when it is closed", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/planning?approve=RUN-001");
    await page.getByRole("button", { name: "Approve 8 nodes" }).waitFor();
    expect(await page.locator(".commands .run").allTextContents()).toContain("test -f src/passkeys/challenge.txt");
    expect(await page.getByText(/Content [0-9a-f]{10}/).count()).toBe(1);
    await view.picture("approve-light");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});

describe("two browsers", () => {
  it("agree about what one of them, or a terminal, does", async () => {
    const [one, two] = [await open(), await open({ theme: "dark" })];
    await one.visit("/plan/tree/TASK-00023");
    await two.visit("/plan/tree");
    await one.page.keyboard.press("f");
    await one.page.getByRole("textbox", { name: "Why" }).fill("two browsers");
    await one.page.keyboard.press("Enter");
    await sayItIsMe(one.page);
    const sign = two.page.locator("#row-TASK-00023 .sign");
    await expect.poll(() => sign.getAttribute("aria-label")).toBe("frozen");
    shop.ok(["thaw", "TASK-00023"]);
    await expect.poll(() => sign.getAttribute("aria-label")).not.toBe("frozen");
    await expect.poll(() => one.page.locator("#row-TASK-00023 .sign").getAttribute("aria-label")).not.toBe("frozen");
    expect([...one.trouble, ...two.trouble]).toEqual([]);
    await one.close();
    await two.close();
  });
});

describe("a server that is started again", () => {
  it("is found again, and nothing is lost meanwhile", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree");
    await shop.stop();
    await page.getByText("Reconnecting, last heard").waitFor();
    shop.ok(["freeze", "TASK-00015", "--reason", "while the board was away"]);
    await shop.serve();
    await settled(page);
    await expect.poll(() => page.locator("#row-TASK-00015 .sign").getAttribute("aria-label")).toBe("frozen");
    shop.ok(["thaw", "TASK-00015"]);
    await expect.poll(() => page.locator("#row-TASK-00015 .sign").getAttribute("aria-label")).not.toBe("frozen");
    // What the browser itself says about a server that is away is no fault of the page.
    expect(view.trouble.filter((each) => !/ERR_|Failed to load resource/.test(each))).toEqual([]);
    await view.close();
  });
});
