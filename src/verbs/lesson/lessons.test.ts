import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { inFolder } from "../../../test/work.js";
import { accept, reset } from "../../plan/claim/settle-tasks.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { waiting } from "../../plan/overview/waiting.js";
import { archive } from "../branch/archive.js";
import { restore } from "../branch/restore.js";
import { undo } from "../history/take-back.js";
import { verifyPlan } from "../history/verify.js";
import { makeStyle } from "../kit/style.js";
import { promote } from "../node/promote.js";
import { renderNode } from "../node/render-node.js";
import { failTask } from "../task/fail.js";
import { complete } from "../task/hand-in.js";
import { remember } from "./add.js";
import { approveLessons } from "./approve.js";
import { forgetLesson } from "./forget.js";
import { listLessons } from "./list.js";
import { searchLessons } from "./search.js";

const texts = async (plan: TestPlan): Promise<string[]> => must(await listLessons(plan)).map(({ text }) => text);

describe("lessons", () => {
  it("are kept once, found by relevance, and forgotten until that is taken back", async () => {
    const plan = await makePlan();
    const first = must(await ask(plan, "lesson.add", { text: " Zip headers are little endian ", in: "FEAT-A" }));
    expect(first).toMatchObject({
      isNew: true,
      lesson: { id: "MEM-001", for: "FEAT-A", keywords: ["zip", "header", "little", "endian"] },
    });
    expect(must(await remember(plan, { text: "Zip headers are little endian", in: "STORY-A" }))).toMatchObject({
      isNew: false,
      op: null,
    });
    must(await remember(plan, { text: "The API allows ten calls", keywords: ["rate"] }));
    expect(mustFail(await ask(plan, "approve", { references: ["FEAT-A", "mem-1"] }))).toMatchObject({
      message: "mem-1 is a lesson, not a node.",
      next: [{ operation: "lesson.approve", input: { ids: ["mem-1"] } }],
    });
    expect(must(await searchLessons(plan, { text: "header endian zip" })).map(({ id }) => id)).toEqual(["MEM-001"]);
    expect(must(await searchLessons(plan, { text: "gardening" }))).toEqual([]);
    const gone = must(await forgetLesson(plan, { ids: ["mem-1", "MEM-001"] }));
    expect(gone.forgotten).toEqual(["MEM-001"]);
    expect(mustFail(await forgetLesson(plan, { ids: ["MEM-001"] })).reason).toBe("forgotten");
    expect(mustFail(await forgetLesson(plan, { ids: ["MEM-009"] })).reason).toBe("not-found");
    expect(await texts(plan)).toEqual(["The API allows ten calls"]);
    must(await undo(plan, String(gone.op)));
    expect(await texts(plan)).toHaveLength(2);
  });

  it("must say something", async () => {
    const plan = await makePlan();
    expect(mustFail(await ask(plan, "lesson.add", { text: "" })).reason).toBe("invalid-input");
    expect(mustFail(await ask(plan, "lesson.add", { text: "x", keywords: [" "] })).reason).toBe("invalid-input");
    expect(mustFail(await remember(plan, { text: "x", in: "MISSION" })).reason).toBe("no-feature");
  });
});

/** T-1 fails once and is done then, T-2 is accepted against its checks, and something was found out. */
async function finished(): Promise<TestPlan> {
  const plan = await makePlan([
    task("T-1", { checks: [{ run: "true" }], files: ["src/zip/header.ts"] }),
    task("T-2", { checks: [{ run: "false" }] }),
  ]);
  const here = inFolder(plan);
  must(await approve(plan, { references: ["FEAT-A"] }));
  must(await start(here, { reference: "T-1" }));
  must(await failTask(here, { reference: "T-1", reason: "the header has two lengths" }));
  must(await reset(here, { references: ["T-1"] }));
  must(await start(here, { reference: "T-1" }));
  must(await complete(here, { reference: "T-1" }));
  must(await start(here, { reference: "T-2" }));
  must(await complete(here, { reference: "T-2" }));
  must(await accept(here, { references: ["T-2"], reason: "the check is wrong" }));
  must(await promote(here, { note: "Zip64 is needed", from: "T-1", to: "FEAT-A" }));
  must(await complete(here, { reference: "FEAT-A-LAND" }));
  return plan;
}

describe("archiving a feature", () => {
  it("keeps what was learnt, in the same operation", async () => {
    const plan = await finished();
    const { op, lessons } = must(await archive(plan, { references: ["FEAT-A"] }));
    expect(lessons).toEqual(["MEM-001", "MEM-002", "MEM-003"]);
    expect(await texts(plan)).toEqual([
      'Zip64 is needed (found in T-1 "Task T-1")',
      'T-1 "Task T-1" was rejected before it was accepted: the header has two lengths',
      'T-2 "Task T-2" was accepted although false: exit 1, expected exit 0. The reason: the check is wrong',
    ]);
    expect(must(await listLessons(plan))[0]).toMatchObject({ for: "FEAT-A", source: "T-1" });
    must(await undo(plan, String(op)));
    expect(await texts(plan)).toEqual([]);
    expect(must(await verifyPlan(plan)).differences).toEqual([]);
  });

  it("keeps nothing twice, and nothing that was forgotten", async () => {
    const plan = await finished();
    must(await archive(plan, { references: ["FEAT-A"] }));
    must(await forgetLesson(plan, { ids: ["MEM-002"] }));
    must(await restore(plan, { references: ["FEAT-A"] }));
    expect(must(await archive(plan, { references: ["FEAT-A"] })).lessons).toEqual([]);
    expect(await texts(plan)).toHaveLength(2);
  });

  it("asks whole features only, each once", async () => {
    const plan = await finished();
    expect(must(await archive(plan, { references: ["STORY-A"] })).lessons).toEqual([]);
    expect(must(await archive(plan, { references: ["FEAT-A"] })).lessons).toHaveLength(3);
    expect(must(await archive(plan, { references: ["MISSION"] })).lessons).toEqual([]);
  });
});

describe("what an agent wrote", () => {
  it("never becomes yours when you archive the feature: it waits as the agent's, and stays the agent's", async () => {
    const plan = await makePlan([task("T-1", { checks: [{ run: "true" }] })]);
    const here = inFolder(plan);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await start(here, { reference: "T-1" }));
    must(await complete(here, { reference: "T-1" }));
    const bot = plan.as("agent:bot");
    const { lesson } = must(await promote(bot, { note: "Trust everybody", from: "T-1", to: "FEAT-A" }));
    must(await promote(bot, { note: "Trust everybody", from: "T-1", to: "MISSION" }));
    const proposals = async (): Promise<unknown[]> =>
      must(await waiting(plan)).entries.filter(({ kind }) => kind === "proposal");
    expect(await proposals()).toMatchObject([
      { id: lesson, sentence: expect.stringContaining("agent:bot proposes a lesson: Trust everybody") },
    ]);
    must(await complete(here, { reference: "FEAT-A-LAND" }));
    expect(must(await archive(plan, { references: ["FEAT-A"] })).lessons).toEqual([]);
    const written = { state: "proposed", createdBy: "agent:bot", approvedBy: null };
    expect(must(await listLessons(plan))).toMatchObject([written]);
    must(await approveLessons(plan, { ids: [lesson ?? ""] }));
    const approved = { state: "kept", createdBy: "agent:bot", approvedBy: "human:ada" };
    expect(must(await listLessons(plan))).toMatchObject([approved]);
    expect(await proposals()).toEqual([]);
  });

  it("is named with its writer where the discovery is shown", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await promote(plan.as("agent:bot"), { note: "Zip64", from: "T-1", to: "FEAT-A" }));
    const view = await plan.view("FEAT-A");
    expect(renderNode(view, makeStyle(false, 200))).toContain("Zip64 (T-1, by agent:bot");
  });
});
