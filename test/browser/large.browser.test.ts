// A plan of ten thousand tasks in the browser, while a worker works: what stands in front answers to keys, and what is shown is whole.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "../rig.js";
import { type BoardPage, launch, openPage } from "./chromium.js";
import { Served } from "./served.js";

const FEATURES = 20;
const TASKS = 500;
const LONG_TITLE = `Give every payment a key ${"that nobody can guess ".repeat(12)}`.trim();

const plan = new Served();
let browser: Browser;
let running: Promise<Outcome> | undefined;

const lines = function* (): Generator<object> {
  for (let feature = 1; feature <= FEATURES; feature++) {
    const id = `FEAT-${String(feature).padStart(3, "0")}`;
    yield { id, tier: "feature", title: `Feature ${feature}` };
    for (let task = 1; task <= TASKS; task++) yield { tier: "task", parent: id, title: `Task ${feature}.${task}` };
  }
  yield { id: "FEAT-LIVE", tier: "feature", title: "The one that runs" };
  yield {
    id: "TASK-LIVE",
    tier: "task",
    parent: "FEAT-LIVE",
    title: LONG_TITLE,
    files: ["key.txt"],
    checks: [{ run: "test -f key.txt" }],
    body: `\`\`\`sh run\necho key > key.txt\nuntil test -f go-on; do sleep 0.1; done; rm go-on\n\`\`\``,
  };
};

beforeAll(async () => {
  mkdirSync(plan.state, { recursive: true });
  plan.write(".gitignore", ".planwright\n");
  plan.git("init", "--quiet", "--initial-branch", "main");
  plan.git("add", ".");
  plan.git("commit", "--quiet", "--message", "begin");
  plan.ok(["init", "--mission", "Many things"]);
  plan.ok(["add", "--from", "-"], { input: [...lines()].map((line) => JSON.stringify(line)).join("\n") });
  plan.ok(["approve", "FEAT-LIVE", "--yes"]);
  await plan.serve();
  browser = await launch();
}, 180_000);

afterAll(async () => {
  if (running) {
    const [{ id }] = plan.ok(["attempt", "list"]) as [{ id: string }];
    const { worktree } = plan.ok(["attempt", "show", id]) as { worktree: string };
    writeFileSync(join(worktree, "go-on"), "");
    await running;
  }
  await browser?.close();
  await plan.stop();
  plan.remove();
});

const open = async (): Promise<BoardPage> => openPage(browser, plan.another());
const lastOperation = (): number =>
  (plan.ok(["log", "--limit", "1"]) as { operations: { op: number }[] }).operations[0]?.op ?? 0;

describe("in a plan of ten thousand tasks", () => {
  it("no key acts behind an open dialog, and Escape closes the dialog before the panel", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree/FEAT-002?approve=FEAT-002");
    const dialog = page.getByRole("dialog", { name: "Approve FEAT-002" });
    await dialog.getByText("Feature 2").first().waitFor();
    const before = lastOperation();
    const level = plan.ok(["level"]);
    // Undo, pause, edit, freeze, another view, the palette: all of them act on the page when nothing is open.
    for (const key of ["u", "p", "e", "f", "c", "2", "t", "Control+k"]) await page.keyboard.press(key);
    expect(new URL(page.url()).pathname).toBe("/plan/tree/FEAT-002");
    expect(await page.getByRole("dialog").count()).toBe(1);
    expect(await page.evaluate("document.documentElement.dataset.theme")).not.toBe("dark");
    expect([lastOperation(), plan.ok(["level"])]).toEqual([before, level]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/plan/tree/FEAT-002");
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/plan/tree");
    // With nothing in front the same key acts again.
    await page.keyboard.press("t");
    await page.locator(":root[data-theme=dark]").waitFor();
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("the columns of the board count every task, loaded or not", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/board");
    const { counts } = plan.ok(["status"]) as { counts: { planned: number } };
    expect(counts.planned).toBeGreaterThanOrEqual(FEATURES * TASKS);
    await expect
      .poll(() => page.locator(".khead .kcol").first().innerText())
      .toMatch(new RegExp(`Planned\\s+${counts.planned}`, "i"));
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("a running card says what the worker does in words, and a long title leaves room for the time", async () => {
    running = plan.start(["run", "TASK-LIVE"]);
    const view = await open();
    const { page } = view;
    await view.visit("/now");
    const card = page.locator(".attempt").first();
    await card.getByText(/runs echo key/).waitFor();
    expect(await card.innerText()).not.toContain("{");
    const time = await card.locator(".a1 .num").boundingBox();
    const edge = await card.boundingBox();
    if (!time || !edge) throw new Error("The card is not drawn.");
    expect(time.width).toBeGreaterThan(10);
    expect(time.x + time.width).toBeLessThanOrEqual(edge.x + edge.width);
    await view.picture("running-long-title");
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});
