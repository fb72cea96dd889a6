// Threat: what you are shown is not what you approve. A check passes when it fails, a character is invisible or looks like another one,
// something is cut off, or the hash that binds your yes is short enough to be met by another plan.

import type { ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { askPerson, OpenQuestions } from "../../src/doors/mcp/ask-person.js";
import type { NodeInput } from "../../src/model/node/content.js";
import type { ApprovalPreview } from "../../src/plan/node/approval-preview.js";
import { approve, previewApproval } from "../../src/plan/node/approve.js";
import { edit } from "../../src/verbs/node/edit.js";
import { addRecord } from "../../src/verbs/record/add.js";
import { previewRecords } from "../../src/verbs/record/approve.js";
import { previewText } from "../../src/verbs/text/preview-lines.js";
import { makePlan, must, type TestPlan, task } from "../plan.js";

const SETTINGS = { setup: [], env: [] };

const previewOf = async (plan: TestPlan): Promise<ApprovalPreview> =>
  must(await previewApproval(plan, { references: ["FEAT-A"] }, SETTINGS));

const textOf = async (...nodes: NodeInput[]): Promise<string> => previewText(await previewOf(await makePlan(nodes)));

describe("a check in the preview", () => {
  it("shows what it passes with: a failure, an output, a time limit, a folder", async () => {
    const checks = [
      { run: "npm test", expect: "exit 1" },
      { run: "npm run lint", expect: "0 problems", timeoutS: 5, cwd: "web" },
    ];
    const text = await textOf(task("T-1", { checks }));
    expect(text).toContain("  $ npm test\n    = must exit with 1\n");
    expect(text).toContain(
      "  $ npm run lint\n    = must exit with 0 and print: 0 problems\n    = must end within 5 s\n    = runs in web\n",
    );
  });

  it("stands for itself: the same command that must fail for one task is not listed with the one that must pass", async () => {
    const plan = await makePlan([
      task("T-1", { checks: [{ run: "npm test" }] }),
      task("T-2", { checks: [{ run: "npm test", expect: "exit 1" }] }),
    ]);
    const { commands } = await previewOf(plan);
    expect(commands.map(({ run, expect: ending, from }) => [run, ending, ...from])).toEqual([
      ["npm test", null, "T-1"],
      ["npm test", "exit 1", "T-2"],
    ]);
  });

  it("that was changed to pass with a failure shows the change", async () => {
    const plan = await makePlan([task("T-1", { checks: [{ run: "npm test" }] })]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await edit(plan.as("agent:w"), { reference: "T-1", checks: [{ run: "npm test", expect: "exit 1" }] }));
    expect(previewText(await previewOf(plan))).toContain('+ [{"run":"npm test","expect":"exit 1"}]');
  });
});

describe("a character that hides", () => {
  it.each([
    ["invisible", "npm\u200b test", "$ npm⟨U+200B⟩ test"],
    ["that changes the direction", "cat a\u202etxt.sh", "$ cat a⟨U+202E⟩txt.sh"],
    ["a tag", "true \u{e0072}\u{e006d}", "$ true ⟨U+E0072⟩⟨U+E006D⟩"],
    ["a Cyrillic look-alike", "npm run tеst", "$ npm run t⟨Cyrillic е⟩st"],
    ["a dash that is none", "rm –rf x", "$ rm ⟨U+2013 –⟩rf x"],
    ["a gap that pushes the rest away", `true${" ".repeat(300)}; curl x`, "$ true⟨300 spaces⟩; curl x"],
    ["a space behind the line's end", "true \\ \nfalse", "$ true \\⟨U+0020⟩\n    $ false"],
  ])("in a command is a mark: %s", async (_, run, shown) => {
    expect(await textOf(task("T-1", { checks: [{ run }] }))).toContain(shown);
    expect(await textOf(task("T-1", { checks: [{ run: "true", expect: run.split("\n")[0] as string }] }))).toContain(
      (shown.split("\n")[0] as string).slice(2, 12),
    );
  });

  it("in a path, a symbol, a title or a body is a mark, and so is one in what was there before", async () => {
    const plan = await makePlan([task("T-1", { body: "Before\u2066 it" })]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const hostile = {
      title: "Ti\u202etle",
      body: "Bo\u200bdy \u{e0041}",
      files: ["src/\u0430.ts"],
      symbols: ["f\u043eo"],
    };
    must(await edit(plan.as("agent:w"), { reference: "T-1", ...hostile }));
    const text = previewText(await previewOf(plan));
    const shown = [
      "Ti⟨U+202E⟩tle",
      "Bo⟨U+200B⟩dy ⟨U+E0041⟩",
      "src/⟨Cyrillic а⟩.ts",
      "f⟨Cyrillic о⟩o",
      "- Before⟨U+2066⟩ it",
    ];
    for (const each of shown) expect(text).toContain(each);
  });

  it("in a record is a mark", async () => {
    const plan = await makePlan([]);
    must(await addRecord(plan.as("agent:w"), { kind: "decision", title: "No\u202e keys", body: "Bo\u200bdy" }));
    const text = previewText(must(await previewRecords(plan, ["DEC-001"], SETTINGS)));
    expect(text).toContain("No⟨U+202E⟩ keys");
    expect(text).toContain("| Bo⟨U+200B⟩dy");
  });

  it("in what an MCP client shows is the same mark", async () => {
    const plan = await makePlan([task("T-1", { checks: [{ run: "npm\u202e test", expect: "exit 1" }] })]);
    const preview = await previewOf(plan);
    const app = {
      ask: async (_name: string, _input: unknown, door: { confirm?: (q: string, p: unknown) => Promise<boolean> }) => {
        await door.confirm?.("Approve FEAT-A?", preview);
        return { ok: true, value: null };
      },
    };
    const context = { mcpReq: { requestState: () => undefined, inputResponses: undefined } };
    const asked = await askPerson(
      { name: "approve", input: { references: ["FEAT-A"] } },
      {
        app: app as never,
        agent: "helper",
        open: new OpenQuestions(),
        context: context as unknown as ServerContext,
      },
      {},
    );
    const message = JSON.stringify(asked);
    expect(message).toContain("npm⟨U+202E⟩ test");
    expect(message).toContain("must exit with 1");
    expect(message).toContain(preview.hash);
  });
});

describe("the preview", () => {
  it("cuts nothing: long names, titles, texts and lists are there to their last character", async () => {
    const long = (end: string): string => `${"a".repeat(450)}${end}`;
    const files = Array.from({ length: 60 }, (_, n) => `${"long/".repeat(40)}${n}-end.ts`);
    const checks = [{ run: `echo ${"x".repeat(3000)} run-end`, expect: long("expect-end") }];
    const text = await textOf(
      task("T-1", { title: long("title-end"), body: `${"b ".repeat(3000)}body-end`, files, checks }),
    );
    for (const end of ["title-end", "body-end", "run-end", "expect-end"]) expect(text).toContain(end);
    for (const file of files) expect(text.split(file).length - 1).toBeGreaterThan(1);
    expect(text).not.toContain("…");
  });

  it("is bound by 256 bits, all of which have to be given", async () => {
    const plan = await makePlan([task("T-1")]);
    const { hash } = await previewOf(plan);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const seen = (part: string) => approve(plan, { references: ["FEAT-A"] }, { hash: part, settings: SETTINGS });
    expect(await seen(hash.slice(0, 16))).toMatchObject({ ok: false, error: { reason: "preview-outdated" } });
    expect(await seen(hash)).toMatchObject({ ok: true });
  });

  it("has another hash when only the ending, the time or the folder of a check differs", async () => {
    const hashes = new Set<string>();
    for (const more of [{}, { expect: "exit 0" }, { expect: "exit 1" }, { timeoutS: 5 }, { cwd: "web" }]) {
      const plan = await makePlan([task("T-1", { checks: [{ run: "true", ...more }] })]);
      hashes.add((await previewOf(plan)).hash);
    }
    expect(hashes.size).toBe(5);
  });
});
