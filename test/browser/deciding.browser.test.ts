// Decides through the page, as a person would: approve, watch, answer, land, undo. And text that tries to be more than text.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openPage, settled, violations } from "./chromium.js";
import { PAYLOADS } from "./payloads.js";
import { Served } from "./served.js";

let browser: Browser;
const workspaces: Served[] = [];

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  for (const workspace of workspaces) {
    await workspace.stop();
    workspace.remove();
  }
});

/** The worker's command does the right thing once this file is there. */
const allowedIn = ({ state }: Served): string => `${state}/allowed`;

function makeWorkspace(): Served {
  const workspace = new Served();
  workspaces.push(workspace);
  mkdirSync(workspace.state, { recursive: true });
  workspace.write(".gitignore", ".planwright\n");
  const execution = { fixes: 0, logicRetries: 0, readable: [allowedIn(workspace)] };
  workspace.write("planwright.json", JSON.stringify({ execution }));
  workspace.git("init", "--quiet", "--initial-branch", "main");
  workspace.git("add", ".");
  workspace.git("commit", "--quiet", "--message", "begin");
  workspace.ok(["init", "--mission", "Decide in the browser"]);
  return workspace;
}

const addAll = (workspace: Served, lines: readonly object[]): unknown =>
  workspace.ok(["add", "--from", "-"], { input: lines.map((line) => JSON.stringify(line)).join("\n") });

describe("through the page", () => {
  it("a plan is approved, watched, answered, landed and undone", async () => {
    const workspace = makeWorkspace();
    const allowed = allowedIn(workspace);
    addAll(workspace, [
      { id: "FEAT-001", tier: "feature", title: "Two files" },
      {
        id: "TASK-00001",
        tier: "task",
        parent: "FEAT-001",
        title: "Write the file",
        files: ["a.txt"],
        checks: [{ run: "test -f a.txt" }],
        body: `\`\`\`sh run\nif test -f ${allowed}; then echo a > a.txt; else echo b > b.txt; fi\n\`\`\``,
      },
    ]);
    const view = await openPage(browser, await workspace.serve());
    const { page } = view;

    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("button", { name: /^Approve \d nodes/ }).click();
    await page.getByText(/You approved \d nodes/).waitFor();
    await page.getByText("Nothing waits for you.").first().waitFor();

    workspace.run(["run", "TASK-00001", "--json"]);
    await page.locator(".card").getByText("TASK-00001 failed. What next?").waitFor();
    await page.getByRole("radio", { name: /Try it again/ }).check();
    await page.getByRole("button", { name: "Answer" }).first().click();
    await page.getByText("You answered ESC-001").waitFor();

    writeFileSync(allowed, "");
    workspace.run(["run", "TASK-00001", "--json"]);
    await page.getByRole("button", { name: /Two files is ready to land/, expanded: true }).waitFor();
    await page.getByRole("button", { name: "Try without landing" }).click();
    await page.getByText("1 check is green on the result").waitFor();
    await page.getByText("Dry run just now").waitFor();
    expect(workspace.git("ls-tree", "--name-only", "main")).not.toContain("a.txt");
    await view.picture("land-light");
    await page.getByRole("button", { name: "Land on main" }).click();
    await page.getByRole("button", { name: "Land FEAT-001 now" }).click();
    await page.getByText("FEAT-001 landed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Revert by a new task" }).waitFor();
    await view.picture("landed-light");
    expect(workspace.git("ls-tree", "--name-only", "main")).toContain("a.txt");

    await view.visit("/plan/tree");
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "Title of the new node" }).fill("A second thought");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /A second thought/ }).waitFor();
    await page.keyboard.press("u");
    await expect.poll(() => page.getByRole("row", { name: /A second thought/ }).count()).toBe(0);

    writeFileSync(
      join(workspace.root, "spec.md"),
      "# Greeter\n\n- The program must greet the user.\n\n## Open questions\n\n- Which language? English or Latin?\n",
    );
    const { questions } = workspace.fails(["plan", "spec.md"]).details as { questions: { id: string }[] };
    const [asked = { id: "" }] = questions;
    await view.visit("/now");
    await page.getByRole("radio", { name: /Something else/ }).check();
    const answer = page.getByRole("button", { name: "Answer" }).first();
    expect(await answer.isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "Your answer in your own words" }).fill("Esperanto, with a hat");
    await answer.click();
    await page.getByText(`You answered ${asked.id}`).waitFor();
    expect(workspace.ok(["show", asked.id])).toMatchObject({
      answer: { option: "other", note: "Esperanto, with a hat" },
    });
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("an approval whose content moved approves nothing, and shows what changed", async () => {
    const workspace = makeWorkspace();
    const task = { id: "TASK-00001", tier: "task", parent: "FEAT-001", title: "Old words", checks: [{ run: "true" }] };
    addAll(workspace, [{ id: "FEAT-001", tier: "feature", title: "Moves" }, task]);
    const view = await openPage(browser, await workspace.serve());
    const { page } = view;
    await view.visit("/now?approve=FEAT-001");
    const approve = page.getByRole("button", { name: /^Approve \d nodes/ });
    await approve.waitFor();
    workspace.ok(["edit", "TASK-00001", "--check", "rm -rf build"]);
    await approve.click();
    await page.locator(".commands").getByText("rm -rf build").waitFor();
    expect(workspace.ok(["show", "TASK-00001"]).approval).toBeNull();
    await view.close();
  });

  it("a phone is enough: a contradiction, a split, and a landing that is refused at first", async () => {
    const workspace = makeWorkspace();
    const work = (id: string, parent: string, file: string): object => ({
      id,
      tier: "task",
      parent,
      title: `Write ${file}`,
      files: [file],
      checks: [{ run: `test -f ${file}` }],
      body: `\`\`\`sh run\nmkdir -p "$(dirname ${file})"; echo x > ${file}\n\`\`\``,
    });
    addAll(workspace, [
      { id: "FEAT-001", tier: "feature", title: "New code" },
      { id: "FEAT-002", tier: "feature", title: "Old code" },
      work("TASK-00001", "FEAT-002", "legacy/a.txt"),
      work("TASK-00002", "FEAT-001", "b.txt"),
    ]);
    workspace.ok(["approve", "FEAT-001"]);
    const constraint = ["record", "add", "--kind", "constraint", "The old code stays", "--forbid-file", "legacy/**"];
    workspace.ok(constraint);
    workspace.ok(["record", "approve", "CON-001"]);
    const view = await openPage(browser, await workspace.serve(), { width: 390, height: 844 });
    const { page } = view;

    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("textbox", { name: "Approve it all the same, because" }).fill("it goes in May");
    await page.getByRole("button", { name: "See what that approves" }).click();
    await page.getByRole("button", { name: /^Approve \d nodes/ }).waitFor();
    expect(await page.locator(".commands li", { hasText: "new" }).count()).toBe(2);
    await view.picture("contradiction-390");
    await page.getByRole("button", { name: /^Approve \d nodes/ }).click();
    await page.getByText(/You approved \d nodes/).waitFor();

    const { token } = workspace.ok(["start", "TASK-00002", "--as", "agent:bot"]) as { token: string };
    const part = (title: string, file: string, after: readonly number[]): string =>
      JSON.stringify({ title, files: [file], checks: [{ run: `test -f ${file}` }], after });
    const parts = ["--part", part("Read it", "r.txt", []), "--part", part("Print it", "p.txt", [1])];
    workspace.ok(["split", "TASK-00002", "--reason", "two programs", ...parts, "--token", token, "--as", "agent:bot"]);
    await page.locator(".split-graph li", { hasText: "Print it" }).waitFor();
    expect(await page.locator(".split-graph path").count()).toBe(1);
    await view.picture("split-390");
    await page.getByRole("radio", { name: /Split it/ }).check();
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByRole("button", { name: /^Approve \d nodes with this answer/ }).click();
    await page.getByText("You answered ESC-001.").waitFor();
    await page.locator(".toast", { hasText: "You answered ESC-001." }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("radio", { name: /Go on as it is/ }).check();
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByText("Nothing waits for you.").first().waitFor();

    workspace.run(["run", "TASK-00002", "--json"]);
    workspace.write("b.txt", "in the way");
    const card = page.getByRole("button", { name: /New code is ready to land/ });
    await card.waitFor();
    await page.getByRole("button", { name: "Land on main" }).click();
    await page.getByRole("button", { name: "Land FEAT-001 now" }).click();
    const refused = page.locator(".proof .refused");
    await refused.getByText("b.txt").first().waitFor();
    expect(await refused.getByText("Nothing is in the way in the checkout").count()).toBe(1);
    await view.picture("refused-390");
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.scrollingElement.scrollWidth")).toBe(390);
    rmSync(`${workspace.root}/b.txt`);
    await page.getByRole("button", { name: "Land on main" }).click();
    await page.getByRole("button", { name: "Land FEAT-001 now" }).click();
    await page.getByText("FEAT-001 landed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Revert by a new task" }).click();
    await expect.poll(() => JSON.stringify(workspace.ok(["status"]))).toContain("Revert");
    // The browser notes every refusal by itself.
    expect(view.trouble.filter((each) => !each.includes("409 (Conflict)"))).toEqual([]);
    await view.close();
  });

  it("what came later is undone too, newest first, and every level is one click away", async () => {
    const workspace = makeWorkspace();
    addAll(workspace, [
      { id: "FEAT-001", tier: "feature", title: "Titles" },
      { id: "TASK-00001", tier: "task", parent: "FEAT-001", title: "First", checks: [{ run: "true" }] },
    ]);
    workspace.ok(["edit", "TASK-00001", "--title", "Second"]);
    const op = workspace.ok(["log", "--limit", "1"]).operations[0].op as number;
    workspace.ok(["edit", "TASK-00001", "--title", "Third"]);
    const view = await openPage(browser, await workspace.serve());
    const { page } = view;
    await view.visit(`/history/${op}`);
    await page.getByText("Later operations touched the same rows:").waitFor();
    expect(await page.getByRole("button", { name: "Undo this operation" }).count()).toBe(0);
    await page.getByRole("button", { name: "Undo these too, newest first" }).click();
    await page.getByText(/is undone, with 1 later operation/).waitFor();
    expect(workspace.ok(["show", "TASK-00001"]).title).toBe("First");
    await page.locator(".op .undone").nth(1).waitFor();
    expect(await page.getByText(/^taken back by \d+$/).count()).toBe(2);
    await view.picture("undone-light");

    await view.visit("/now");
    expect(await page.title()).toMatch(/^\(1\) /);
    expect(await page.locator("link[rel=icon]").getAttribute("href")).toBe("/icon-waits.svg");
    await page.getByRole("radio", { name: "on", exact: true }).click();
    await page.getByRole("button", { name: "Raise to on" }).click();
    await expect.poll(() => workspace.ok(["level"]).level).toBe("on");
    await page.getByRole("button", { name: "Pause all" }).click();
    await expect.poll(() => workspace.ok(["level"]).level).toBe("off");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("TASK-00001");
    await page.getByRole("option", { name: /TASK-00001.*First/ }).waitFor();
    expect(await page.getByRole("combobox").inputValue()).toBe("TASK-00001");
    await page.getByRole("option", { name: /operations that mention/ }).click();
    await expect.poll(() => page.url()).toContain("/history?q=TASK-00001");
    expect(view.trouble).toEqual([]);
    await view.close();
  });

  it("nothing can be done with read-only access", async () => {
    const workspace = makeWorkspace();
    addAll(workspace, [{ id: "FEAT-001", tier: "feature", title: "Look at me" }]);
    const view = await openPage(browser, await workspace.serve("--read-only"));
    const { page } = view;
    await page.getByText("Read-only").waitFor();
    await view.visit("/plan/tree/FEAT-001");
    for (const name of ["Add", "Edit", "Freeze …", "Undo"]) {
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
    }
    expect(view.trouble).toEqual([]);
    await view.close();
  });
});

describe("text that tries to be more", () => {
  it("stays text in every view", async () => {
    const workspace = makeWorkspace();
    const lines = PAYLOADS.map((payload, index) => ({
      id: `TASK-${String(index + 1).padStart(5, "0")}`,
      tier: "task",
      parent: "FEAT-001",
      title: payload,
      body: `${payload}\n\n\`\`\`\n${payload}\n\`\`\``,
      files: [`src/${index}-${payload.replace(/[^ -~]|[/\\*?]/g, "")}`.slice(0, 120)],
      checks: [{ run: `echo ${index}; : '${payload.replace(/[^ -~]|'/g, "")}'` }],
    }));
    addAll(workspace, [{ id: "FEAT-001", tier: "feature", title: PAYLOADS[0], body: PAYLOADS[1] }, ...lines]);
    const printed = String.raw`printf '\033[31m<img src=x onerror=window.__broken=1>'; exit 1`;
    addAll(workspace, [
      { id: "FEAT-002", tier: "feature", title: "Output" },
      {
        id: "TASK-00900",
        tier: "task",
        parent: "FEAT-002",
        title: "Print",
        checks: [{ run: printed }],
        body: "```sh run\necho x > x.txt\n```",
      },
    ]);
    workspace.ok(["approve", "FEAT-002"]);
    workspace.run(["run", "TASK-00900", "--json"]);
    workspace.ok(["comment", "TASK-00002", PAYLOADS[4] ?? ""]);
    workspace.ok(["record", "add", "--kind", "decision", PAYLOADS[8] ?? ""]);
    const view = await openPage(browser, await workspace.serve());
    const { page } = view;
    const paths = ["/now", "/plan/tree/TASK-00002", "/plan/tree/TASK-00007?tab=checks", "/plan/board", "/plan/graph"];
    for (const path of [...paths, "/plan/timeline", "/history/4", "/settings", "/now?approve=FEAT-001"]) {
      await view.visit(path);
      await settled(page);
      expect(await page.evaluate("window.__broken ?? null")).toBeNull();
      expect(
        await page
          .locator("body :is(script, iframe, object, embed, img, video, base, meta, link, form[action])")
          .count(),
      ).toBe(0);
    }
    await page.getByRole("button", { name: /^Approve \d+ nodes/ }).waitFor();
    await view.visit("/plan/tree/TASK-00900");
    await page.locator(".panel .out .hidden-char", { hasText: "U+001B" }).first().waitFor();
    await view.visit("/plan/tree/TASK-00003");
    await page.locator(".panel .hidden-char", { hasText: "U+202E" }).first().waitFor();
    expect(await page.evaluate("window.__broken ?? null")).toBeNull();
    // Undoing operation 4 is refused, which the page says; the browser notes every refusal by itself.
    expect(view.trouble.filter((each) => !each.includes("409 (Conflict)"))).toEqual([]);
    await view.close();
  });
});
