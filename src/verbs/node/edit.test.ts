import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import type { NodeInput } from "../../model/node/content.js";
import { approve } from "../../plan/node/approve.js";
import { undo } from "../history/take-back.js";
import type { InputOf } from "../kit/verb.js";
import { complete } from "../task/hand-in.js";
import { edit } from "./edit.js";

const T1: NodeInput = task("T-1", {
  body: "First line",
  files: ["src/a.ts"],
  symbols: ["parse"],
  checks: [{ run: "npm test" }],
  priority: 2,
  estimateHours: 3,
  budgets: { attempts: 5, replans: 1 },
});

const editT1 = (plan: TestPlan, input: Omit<Parameters<typeof edit>[1], "reference">) =>
  edit(plan, { reference: "T-1", ...input });

const askT1 = (plan: TestPlan, input: Omit<InputOf<"edit">, "reference">) =>
  ask(plan, "edit", { reference: "T-1", ...input });

describe("edit", () => {
  it("touches only what is named", async () => {
    const plan = await makePlan([T1]);
    const before = await plan.view("T-1");
    const edited = must(await editT1(plan, { title: "Better", priority: 0 }));
    expect(edited).toMatchObject({ id: "T-1", changed: ["title", "priority"], stale: false });
    const { title, priority, revision, updatedAt, ...rest } = await plan.view("T-1");
    expect({ title, priority }).toEqual({ title: "Better", priority: 0 });
    expect(before).toMatchObject(rest);
    expect(revision).toBe(before.revision + 1);
    expect(updatedAt).not.toBe(before.updatedAt);
  });

  it("adds to lists and to the body, and takes away from lists", async () => {
    const plan = await makePlan([T1]);
    must(
      await editT1(plan, {
        appendBody: "Second line",
        addFiles: ["src/b.ts", "src/a.ts"],
        addSymbols: ["render"],
        addChecks: [{ run: "npm run lint", expect: "ok" }],
        removeSymbols: ["parse"],
        removeChecks: [{ run: "npm test" }],
      }),
    );
    expect(await plan.view("T-1")).toMatchObject({
      body: "First line\nSecond line",
      files: ["src/a.ts", "src/b.ts"],
      symbols: ["render"],
      checks: [{ run: "npm run lint", expect: "ok" }],
    });
  });

  it("empties fields, by name or with null", async () => {
    const plan = await makePlan([T1]);
    must(await askT1(plan, { clear: ["estimate", "attempts", "symbols"], body: null, priority: null }));
    expect(await plan.view("T-1")).toMatchObject({
      estimateHours: null,
      budgets: { replans: 1 },
      symbols: [],
      body: "",
      priority: null,
      files: ["src/a.ts"],
    });
    must(await editT1(plan, { replans: null }));
    expect((await plan.view("T-1")).budgets).toEqual({});
  });

  it("keeps the other budget", async () => {
    const plan = await makePlan([T1]);
    must(await editT1(plan, { attempts: 9 }));
    expect((await plan.view("T-1")).budgets).toEqual({ attempts: 9, replans: 1 });
  });

  it("infers the profile from the files until one is given, and again once that is emptied", async () => {
    const plan = await makePlan([T1]);
    const profile = async () => (await plan.view("T-1")).profile;
    must(await editT1(plan, { files: ["README.md"] }));
    expect(await profile()).toBe("docs");
    must(await editT1(plan, { profile: "api" }));
    must(await editT1(plan, { files: ["src/a.ts"] }));
    expect(await profile()).toBe("api");
    must(await askT1(plan, { clear: ["profile"] }));
    expect(await profile()).toBe("backend");
  });

  it("makes an approval stale when what was approved changes, and only then", async () => {
    const plan = await makePlan([T1]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(must(await askT1(plan, { priority: 0, clear: ["estimate"] })).stale).toBe(false);
    expect((await plan.view("T-1")).reason).toBe("claimable");
    expect(must(await editT1(plan, { title: "Something else" })).stale).toBe(true);
    expect(await plan.view("T-1")).toMatchObject({ status: "planned", reason: "approval-stale" });
    expect(must(await editT1(plan, { title: "Task T-1" })).stale).toBe(false);
    expect((await plan.view("T-1")).reason).toBe("claimable");
  });

  it("renames the land task with its feature, and keeps its approval", async () => {
    const plan = await makePlan([T1]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const { op } = must(await edit(plan, { reference: "FEAT-A", title: "Sign in" }));
    expect(await plan.view("FEAT-A-LAND")).toMatchObject({ title: "Land: Sign in", approval: { stale: false } });
    expect((await plan.view("sign in")).id).toBe("FEAT-A");
    must(await undo(plan, String(op)));
    expect((await plan.view("FEAT-A-LAND")).title).toBe("Land: Feature A");
  });

  it("waits for a person when an agent renames an approved feature, and asks for nothing more than one approval", async () => {
    const plan = await makePlan([T1]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const renamed = must(await edit({ ...plan, actor: "agent:bot" }, { reference: "FEAT-A", title: "Sign in" }));
    expect(renamed).toMatchObject({ changed: ["title"], stale: true });
    expect(await plan.view("FEAT-A-LAND")).toMatchObject({ title: "Land: Sign in", approval: { stale: true } });
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(await plan.view("FEAT-A-LAND")).toMatchObject({ approval: { stale: false } });
    expect((await plan.view("T-1")).reason).toBe("claimable");
  });

  it("records nothing when nothing changes", async () => {
    const plan = await makePlan([T1]);
    expect(must(await editT1(plan, { title: "Task T-1", addFiles: ["src/a.ts"] }))).toEqual({
      op: null,
      id: "T-1",
      changed: [],
      stale: false,
    });
  });

  it("turns work into a gate and back, but nothing into a landing", async () => {
    const plan = await makePlan([T1]);
    must(await editT1(plan, { kind: "gate" }));
    expect((await plan.view("T-1")).kind).toBe("gate");
    expect(mustFail(await askT1(plan, { kind: "land" } as object)).kind).toBe("usage");
    for (const reference of ["FEAT-A-LAND", "STORY-A"]) {
      expect(mustFail(await edit(plan, { reference, kind: "work" })).kind).toBe("usage");
    }
  });
});

describe("edit refuses", () => {
  it("what is done, as a task or as what contains it", async () => {
    const plan = await makePlan([task("T-1", { kind: "gate" })]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await complete(plan, { reference: "T-1" }));
    for (const reference of ["T-1", "STORY-A"]) {
      expect(mustFail(await edit(plan, { reference, title: "Rewritten" }))).toMatchObject({
        kind: "refused",
        reason: "settled",
      });
    }
  });

  it.each<[string, object]>([
    ["nothing to change", {}],
    ["an unknown field", { colour: "red" }],
    ["a status: it is derived", { status: "in_progress" }],
    ["a claim", { claim: { by: "human:ada" } }],
    ["a parent: that is a move", { parent: "FEAT-A" }],
    ["dependencies: those are links", { dependsOn: [] }],
    ["an id", { id: "T-9" }],
    ["an empty title", { title: " " }],
    ["no title", { title: null }],
    ["no kind", { kind: null }],
    ["a NUL in what is appended", { appendBody: "a\0b" }],
    ["a body that grows too long", { appendBody: "x".repeat(999_999) }],
    ["a file outside of the workspace", { addFiles: ["../etc/passwd"] }],
    ["a bad number", { priority: 9 }],
  ] as [string, object][])("%s", async (_, input) => {
    const plan = await makePlan([T1]);
    const before = await plan.view("T-1");
    expect(mustFail(await askT1(plan, input)).kind).toBe("usage");
    expect(await plan.view("T-1")).toEqual(before);
  });

  it("to take away what is not there", async () => {
    const plan = await makePlan([T1]);
    for (const remove of [{ removeFiles: ["src/z.ts"] }, { removeSymbols: ["z"] }, { removeChecks: [{ run: "z" }] }]) {
      expect(mustFail(await editT1(plan, remove))).toMatchObject({ kind: "absent", reason: "not-there" });
    }
  });
});
