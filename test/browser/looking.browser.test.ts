// Looks at every view of the board as a person would: light and dark, wide and narrow, with the keyboard, now and in the past.

import { writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoardPage, launch, openPage, settled, violations } from "./chromium.js";
import { Served } from "./served.js";
import { seedShop } from "./shop-plan.js";

const shop = new Served();
let browser: Browser;

beforeAll(async () => {
  seedShop(shop);
  await shop.serve();
  browser = await launch();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await shop.stop();
  shop.remove();
});

const open = async (view: Parameters<typeof openPage>[2] = {}): Promise<BoardPage> =>
  openPage(browser, shop.another(), view);

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

/** 720 is what a window of 1440 has at a zoom of 200 %. */
const WIDTHS = [1340, 1024, 720, 390] as const;

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

/** Takes back what a test did, at the server. */
const takeBack = (): void => void shop.ok(["undo"]);

const signOf = (page: Page, id: string): Promise<string | null> =>
  page.locator(`#row-${id} .sign`).first().getAttribute("aria-label");

describe("the plan, with the keyboard", () => {
  it("selects several, freezes them together, undoes and redoes it", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree?q=in:STORY-0008");
    for (const id of ["TASK-00023", "TASK-00024"]) {
      await page.locator(`#row-${id}`).click({ modifiers: ["Control"] });
    }
    await page.getByText("2 nodes selected").waitFor();
    // `x` does the same for the current row; twice, it changes nothing.
    await page.keyboard.press("x");
    await page.keyboard.press("x");
    await page.getByText("2 nodes selected").waitFor();
    await page.getByRole("button", { name: "Freeze …" }).waitFor();
    await view.picture("selection-light");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("f");
    await page.getByRole("textbox", { name: "Why" }).fill("both of them");
    await page.keyboard.press("Enter");
    await expect.poll(() => signOf(page, "TASK-00023")).toBe("frozen");
    await expect.poll(() => signOf(page, "TASK-00024")).toBe("frozen");
    await expect.poll(() => page.getByText("nodes selected").count()).toBe(0);
    await page.keyboard.press("u");
    await expect.poll(() => signOf(page, "TASK-00023")).toBe("ready");
    await page.keyboard.press("Shift+U");
    await expect.poll(() => signOf(page, "TASK-00023")).toBe("frozen");
    await page.keyboard.press("u");
    await expect.poll(() => signOf(page, "TASK-00023")).toBe("ready");
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("moves, edits and judges one node from its row", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree?q=in:STORY-0005");
    const rows = page.getByRole("row");
    await expect.poll(() => rows.count()).toBeGreaterThan(5);
    // The current row is the first; the search leaves INIT-001, FEAT-003, STORY-0005 and its tasks.
    for (let times = 0; times < 6; times++) await page.keyboard.press("j");
    await page.keyboard.press("m");
    await page.getByRole("combobox", { name: "Where to" }).fill("STORY-0007");
    await page.keyboard.press("Enter");
    await page.getByText("moved").or(page.getByText("Done: Move")).first().waitFor();
    await expect.poll(() => page.locator(".crumb").textContent()).toContain("STORY-0007");
    takeBack();
    await expect.poll(() => page.locator(".crumb").textContent()).toContain("STORY-0005");
    await page.keyboard.press("e");
    await page.getByText("Saving makes its approval stale").waitFor();
    await page.getByRole("textbox", { name: "Title" }).fill("Mine");
    shop.ok(["edit", "TASK-00015", "--title", "Theirs"]);
    await page.getByRole("heading", { name: "Theirs" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Its title changed meanwhile: Theirs").waitFor();
    takeBack();
    await page.getByRole("textbox", { name: "Title" }).focus();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByText("Nobody has handed in TASK-00015 yet.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".panel").count()).toBe(0);
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("widens the panel and shows it on the whole page", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree/TASK-00017");
    await page.getByText("Diff +1 −0").waitFor();
    await page.getByText("1 of 3 in the story").waitFor();
    const width = async (): Promise<number> => (await page.locator(".panel").boundingBox())?.width ?? 0;
    expect(await width()).toBe(456);
    await page.getByRole("separator", { name: "Width of the panel" }).focus();
    await page.keyboard.press("ArrowLeft");
    expect(await width()).toBe(480);
    await page.mouse.move(1440 - 480, 500);
    await page.mouse.down();
    await page.mouse.move(200, 500);
    await page.mouse.up();
    expect(await width()).toBe(720);
    await page.locator("main").focus();
    await page.keyboard.press("Shift+Enter");
    await expect.poll(() => page.url()).toContain("full=");
    await view.picture("panel-full-light");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toContain("full=");
    expect(await page.locator(".panel").count()).toBe(1);
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});

describe("the plan, with the mouse", () => {
  it("moves a node onto another and sets a priority at an edge", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree");
    const row = page.locator("#row-TASK-00015");
    const place = async () => (await row.boundingBox())?.y;
    const before = await place();
    await row.dragTo(page.locator("#row-STORY-0006"));
    await page.getByText("TASK-00015 moved to STORY-0006.").waitFor();
    takeBack();
    // Rows that still move would be dropped on another one.
    await expect.poll(place).toBe(before);
    await row.dragTo(page.locator("#row-TASK-00018"), { targetPosition: { x: 200, y: 3 } });
    await page.getByText("TASK-00015 has priority 1 now").waitFor();
    await row.getByText("P1").waitFor();
    takeBack();
    await expect.poll(() => row.getByText("P1").count()).toBe(0);
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("offers the verbs that lead to a column, or says why none does", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/board");
    const card = page.locator("#task-TASK-00015");
    const column = (index: number) => page.locator(".klane[aria-label='Webhooks that arrive'] .kcol").nth(index);
    await card.dragTo(column(5));
    await page.getByText("Nothing that you can do makes it rejected").waitFor();
    await page.keyboard.press("Escape");
    await card.dragTo(column(2));
    await page.getByRole("button", { name: "Freeze …" }).click();
    await page.getByRole("textbox", { name: "Why" }).fill("dropped on frozen");
    await view.picture("board-drop-light");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => column(2).locator("#task-TASK-00015").count()).toBe(1);
    takeBack();
    await expect.poll(() => column(3).locator("#task-TASK-00015").count()).toBe(1);
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("draws a dependency in the graph, zooms in three steps and follows edges", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/graph");
    const box = await page.locator(".graph canvas").boundingBox();
    if (!box) throw new Error("The graph has no size.");
    // The nodes of FEAT-004 stand in its lane, the second that is open.
    const at = (column: number, row: number) => [box.x + 108 + column * 200, box.y + 409 + row * 80] as const;
    await page.mouse.move(...at(1, 0));
    await page.mouse.down();
    await page.mouse.move(...at(2, 1), { steps: 4 });
    await page.mouse.up();
    await page.getByText("TASK-00026 waits for TASK-00023 now.").waitFor();
    const after = page.getByRole("button", {
      name: /TASK-00026.*after TASK-000\d+ and TASK-000\d+/,
      includeHidden: true,
    });
    await after.waitFor({ state: "attached" });
    takeBack();
    await after.waitFor({ state: "detached" });
    await page.mouse.click(...at(0, 0));
    await page.locator(".peek").getByText("Stream orders as CSV").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator(".peek").getByText("Escape what a spreadsheet would run").waitFor();
    await view.picture("graph-peek-light");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press(" ");
    await expect.poll(() => page.locator(".peek").count()).toBe(0);
    for (const detail of ["mid", "far"]) {
      await page.keyboard.press("-");
      await page.locator(`.graph[data-detail=${detail}]`).waitFor();
      await view.picture(`graph-${detail}-light`);
    }
    await page.keyboard.press("0");
    await page.locator(".graph[data-detail=near]").waitFor();
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("says in the timeline what each task waits for", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/timeline");
    const bars = page.locator("#task-TASK-00017 .tbars i");
    await expect.poll(() => bars.last().getAttribute("aria-label")).toMatch(/ATT-00011/);
    await expect
      .poll(() => page.locator("#task-TASK-00017 .tbars i.ask").last().getAttribute("aria-label"))
      .toMatch(/a check failed/);
    await expect
      .poll(() => page.locator("#task-TASK-00018 .tbars i.wait").last().getAttribute("aria-label"))
      .toMatch(/waits for TASK-00017, rejected/);
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});

describe("the transcript of an attempt", () => {
  it("shows what an agent did, in parts, and follows its end until you scroll", async () => {
    const { transcript } = shop.ok(["attempt", "show", "ATT-00010"]) as { transcript: { file: string } };
    const tool = (name: string, detail: object): string =>
      JSON.stringify({
        at: "2026-11-18T14:53:02.000Z",
        type: "tool",
        name,
        state: "started",
        detail: JSON.stringify(detail),
      });
    const read = Array.from({ length: 500 }, (_, index) => tool("Read", { file_path: `src/file-${index}.ts` }));
    writeFileSync(transcript.file, [...read, tool("Bash", { command: "npm test" })].join("\n"));
    const view = await open();
    const { page } = view;
    await view.visit("/attempt/ATT-00010");
    const lines = page.locator(".log li");
    await expect.poll(() => lines.count()).toBe(400);
    await expect.poll(() => lines.last().innerText()).toMatch(/runs\s+npm test/);
    await page.getByText("Follows the end").waitFor();
    await page.keyboard.press("Home");
    await page.getByText("Scrolled away from the end").waitFor();
    await page.getByRole("button", { name: "101 earlier lines" }).click();
    await expect.poll(() => lines.count()).toBe(501);
    await expect.poll(() => lines.first().innerText()).toMatch(/reads\s+src\/file-0.ts/);
    await page.keyboard.press("r");
    await expect.poll(() => lines.first().innerText()).toContain('"file_path');
    await page.keyboard.press("End");
    await page.getByText("Follows the end").waitFor();
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});

describe("what a reader asks of the screen", () => {
  it("holds with forced colours, more contrast and no motion", async () => {
    const view = await open();
    const { page } = view;
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce", contrast: "more" });
    for (const layout of ["tree/TASK-00017", "board", "timeline"]) {
      await view.visit(`/plan/${layout}`);
      await view.picture(`forced-${layout.slice(0, 4)}`);
      expect(await violations(page)).toEqual([]);
    }
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
    await shop.stop();
    await shop.serve("--read-only");
    await settled(page);
    await page.reload();
    await page.getByText("Read-only").waitFor();
    await page.locator("#row-TASK-00017").click();
    await page.getByText("was rejected").first().waitFor();
    expect(await page.getByRole("button", { name: /Add|Edit|Freeze|Try again|Undo/ }).count()).toBe(0);
    await view.picture("read-only-light");
    // What the browser itself says about a server that is away is no fault of the page.
    expect(view.trouble.filter((each) => !/ERR_|Failed to load resource/.test(each))).toEqual([]);
    await view.close();
  });
});
