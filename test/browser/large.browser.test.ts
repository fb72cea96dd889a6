// A plan of ten thousand tasks in the browser, while a worker works: what stands in front answers to keys, and what is shown is whole.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCRIPTED_AGENT } from "../agents/scripted-agent.js";
import { ANSWERS, objection, SPEC } from "../planning.js";
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

/** As long as a careful critic writes, and whole only if its last words can be read. */
const LONG_PROBLEM = `${"A name with a space in it is greeted twice, once for each part of it. ".repeat(30)}These are the last words.`;

/** A planner that is declined what it insists on: the run then asks a person. */
function writePlanner(): void {
  const finding = objection("K1", "high") as { findings: [object] };
  const critique = { ...finding, findings: [{ ...finding.findings[0], description: LONG_PROBLEM }] };
  const responses = [{ finding: "K1", action: "declined", note: "Names have no spaces." }];
  const answers = {
    "# Your role: clarifier": ANSWERS["clarifier"],
    "# Your role: author, stage capabilities": ANSWERS["author capabilities"],
    "# Your role: author, stage files": ANSWERS["author files"],
    "# Your role: author, stage tasks": ANSWERS["author tasks"],
    "# Your role: author, revising": { ...(ANSWERS["author revise"] as object), responses },
    "# Your role: critic": critique,
  };
  const script = Object.entries(answers).map(([when, submit]) => ({ when, steps: [{ submit }], again: true }));
  const args = [SCRIPTED_AGENT, plan.write("script.json", JSON.stringify(script)), join(plan.root, ".git/state.json")];
  const planner = { agent: "scripted" };
  const roles = {
    clarifier: planner,
    author: planner,
    critic: planner,
    overviewer: planner,
    worker: { agent: "shell" },
  };
  const agents = { scripted: { command: process.execPath, args } };
  plan.write("planwright.json", JSON.stringify({ agents, roles }));
  plan.write("spec.md", SPEC);
}

beforeAll(async () => {
  mkdirSync(plan.state, { recursive: true });
  plan.write(".gitignore", ".planwright\nscript.json\n");
  plan.git("init", "--quiet", "--initial-branch", "main");
  writePlanner();
  plan.git("add", ".");
  plan.git("commit", "--quiet", "--message", "begin");
  plan.ok(["init", "--mission", "Many things"]);
  plan.ok(["config", "trust", "--yes"]);
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
    // Its feature follows the workspace, and what runs is not offered to be run.
    await view.visit("/plan/tree/TASK-LIVE");
    const panel = page.getByRole("complementary", { name: "Details of TASK-LIVE" });
    await panel.getByRole("button", { name: /^Watch ATT-/ }).waitFor();
    expect(await panel.getByRole("button", { name: /^Run it/ }).count()).toBe(0);
    await view.visit("/plan/tree/FEAT-LIVE");
    const feature = page.getByRole("complementary", { name: "Details of FEAT-LIVE" });
    await feature.getByText("FEAT-LIVE follows the workspace, which is at off.").waitFor();
    expect(await feature.getByRole("radio", { name: "off" }).getAttribute("aria-checked")).toBe("true");
    expect(await feature.getByRole("button", { name: /^Run it/ }).count()).toBe(0);
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("a row of the tree is called by its id and its title, not by the button that closes it", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree");
    await page.getByRole("row", { name: /^FEAT-002 Feature 2, planned/ }).waitFor();
    expect(await page.getByRole("row", { name: /^(Open|Close) / }).count()).toBe(0);
    await view.close();
  });

  it("a moment before everything that happened lists nothing, and the number of an operation that operation", async () => {
    const view = await open();
    const { page } = view;
    await view.visit("/plan/tree");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Find or do" });
    await field.fill("@ yesterday 16:00");
    await page.getByText("Nothing found.").waitFor();
    await field.fill("@ 2");
    await expect.poll(() => page.getByRole("option").count()).toBe(1);
    expect(await page.getByRole("option").first().innerText()).toMatch(/^2\s/);
    await view.close();
  });

  it("a read that takes too long is called a time-out, and can be tried again", async () => {
    const view = await open();
    const { page } = view;
    await page.addInitScript(`{
      const real = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => real(window.isPatient ? ms : 200);
    }`);
    await page.route("**/api/operations/waiting", () => undefined);
    await page.goto(`${plan.origin}/now`);
    const part = page.getByRole("region", { name: "Waits for you" });
    await part.getByText("The server did not answer within 30 seconds. It may be busy: try again.").waitFor();
    await page.unroute("**/api/operations/waiting");
    await page.evaluate("window.isPatient = true");
    await part.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => part.locator("li.card").count(), { timeout: 60_000 }).toBeGreaterThan(0);
    await view.close();
  });

  it("what a planning run asks shows its findings as a table, whole, with what the author said", async () => {
    const { code } = plan.run(["plan", "spec.md", "--defaults"]);
    expect(code).toBe(2);
    const view = await open();
    const { page } = view;
    const [{ id }] = plan.ok(["question", "list"]) as [{ id: string }];
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await view.visit(`/now/${id}`);
      const table = page.getByRole("table", { name: "Open findings" });
      await table.getByText("the author declined it: Names have no spaces.").waitFor();
      expect(await table.innerText()).toContain("These are the last words.");
      const cut = await table.evaluate((element) =>
        [element, ...element.querySelectorAll("thead *, tbody *")]
          .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      );
      expect(cut).toEqual([]);
      // The last card of a long list, and yet on the screen.
      await expect.poll(async () => (await table.boundingBox())?.y).toBeLessThan(500);
      const box = await table.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      await view.picture(`planning-question-${width}`);
    }
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});
