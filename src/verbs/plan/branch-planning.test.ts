import { describe, expect, it } from "vitest";
import { addAll, must, mustFail, type TestPlan } from "../../../test/plan.js";
import { ANSWERS, objection, planForEach, planningRig, type Rig, reply } from "../../../test/planning.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { waive } from "../branch/waive.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

const DRAFT = ANSWERS["author tasks"] as { tasks: Readonly<Record<string, unknown>>[] };

/** FEAT-A with STORY-A, and in it A and B. */
const TASKS = ["A", "B"].map((id) => ({
  id,
  title: `Task ${id}`,
  body: "Do it.",
  parent: "STORY-A",
  files: [`src/${id}.sh`, `test/${id}.sh`],
  checks: [{ run: `sh test/${id}.sh` }],
}));

const rigWith = (said: Readonly<Record<string, unknown>>): Rig =>
  planningRig(plan, { answer: (topic) => reply(Object.hasOwn(said, topic) ? said[topic] : ANSWERS[topic]) });

const below = (parent: string): object => ({
  ...DRAFT,
  features: [],
  tasks: [{ ...DRAFT.tasks[0], parent, requirements: [], behaviours: [] }],
});

describe("expand", () => {
  it("adds tasks to a story without children and drops nothing", async () => {
    const rig = rigWith({ "author tasks": below("STORY-A") });
    const run = must(await rig.ask("expand", { reference: "STORY-A", level: "lenient" }));
    expect(run).toMatchObject({ id: "RUN-001", mode: "expand", status: "ready" });
    expect(must(await rig.ask("approve", { references: ["RUN-001"], yes: true }))).toMatchObject({
      added: expect.arrayContaining(["TASK-00001"]),
      dropped: [],
    });
  });

  describe("of a node with children", () => {
    const expanded = async (): Promise<Rig> => {
      await addAll(plan, TASKS);
      must(await approve(plan, { references: ["FEAT-A"] }));
      must(await start(plan.as("agent:w"), { reference: "B" }));
      const rig = rigWith({ "author revise": { removed: ["B"] } });
      const run = must(await rig.ask("expand", { reference: "STORY-A", level: "lenient" }));
      expect(run).toMatchObject({ mode: "revise", status: "ready" });
      return rig;
    };

    it("refuses to drop anything without confirmation", async () => {
      const rig = await expanded();
      expect(mustFail(await rig.ask("approve", { references: ["RUN-001"] }))).toMatchObject({
        reason: "needs-yes",
        details: { preview: { dropped: [{ id: "B" }], lostClaims: [{ id: "B", by: "agent:w" }] } },
        next: [{ operation: "approve", input: { references: ["RUN-001"], seen: expect.any(String) } }],
      });
      expect(mustFail(await rig.ask("plan.apply", { run: "RUN-001" }))).toMatchObject({
        reason: "needs-yes",
        details: { drops: ["B"] },
        next: [
          { operation: "plan.diff", input: { run: "RUN-001" } },
          { operation: "plan.apply", input: { run: "RUN-001", yes: true } },
        ],
      });
      expect((await plan.view("B")).status).toBe("in_progress");
    });

    it("names every drop and lost claim in its question, and changes nothing on no", async () => {
      const rig = await expanded();
      const questions: string[] = [];
      const confirm = async (question: string): Promise<boolean> => {
        questions.push(question);
        return questions.length > 1;
      };
      expect(mustFail(await rig.ask("approve", { references: ["RUN-001"] }, { confirm })).reason).toBe("declined");
      expect((await plan.view("B")).status).toBe("in_progress");
      expect(must(await rig.ask("approve", { references: ["RUN-001"] }, { confirm }))).toMatchObject({
        dropped: ["B"],
      });
      expect(questions[0]).toBe("This drops B. agent:w loses the claim on B. Approve RUN-001?");
    });

    it("drops without asking when that was said", async () => {
      const rig = await expanded();
      expect(must(await rig.ask("plan.apply", { run: "RUN-001", yes: true }))).toMatchObject({ dropped: ["B"] });
    });
  });

  it("only says what it would do in a dry run", async () => {
    const rig = rigWith({});
    expect(must(await rig.ask("expand", { reference: "FEAT-A", dryRun: true }))).toMatchObject({
      node: "FEAT-A",
      mode: "revise",
      below: "stories and tasks",
      roles: { author: "scripted" },
    });
    expect(await rig.list()).toEqual([]);
  });

  it.each(["MISSION", "A"])("is not for %s", async (reference) => {
    await addAll(plan, TASKS);
    expect(mustFail(await rigWith({}).ask("expand", { reference })).reason).toBe("tier");
  });
});

describe("replan", () => {
  it("drops, then has an agent plan what was dropped", async () => {
    await addAll(plan, TASKS);
    const rig = rigWith({ "author tasks": below("STORY-A") });
    const replanned = must(await rig.ask("replan", { reference: "STORY-A", reason: "too large", level: "lenient" }));
    expect(replanned).toMatchObject({
      dropped: ["A", "B"],
      replans: { used: 1 },
      run: { mode: "expand", status: "ready" },
    });
    expect(rig.requests[0]?.brief.spec.text).toContain("The plan before did not work: too large");
  });

  it("revises what is finished and stays", async () => {
    await addAll(plan, TASKS);
    must(await waive(plan, { references: ["A"], reason: "it is there" }));
    const rig = rigWith({ "author revise": {} });
    const replanned = must(await rig.ask("replan", { reference: "STORY-A", reason: "too large" }));
    expect(replanned).toMatchObject({ dropped: ["B"], run: { mode: "revise" } });
  });

  it("stops after the drop when that was asked, or when no agent is configured as author", async () => {
    await addAll(plan, TASKS);
    const asked = { reference: "STORY-A", reason: "too large" };
    expect(must(await rigWith({}).ask("replan", { ...asked, noPlan: true }))).toMatchObject({
      dropped: ["A", "B"],
      run: null,
    });
    const none = planningRig(plan, { served: [] });
    expect(must(await none.ask("replan", asked))).toMatchObject({ dropped: [], run: null });
  });
});

describe("review", () => {
  it("answers with problems when a reviewer objects", async () => {
    await addAll(plan, TASKS);
    const good = rigWith({});
    expect(must(await good.ask("review", { reference: "FEAT-A", level: "lenient" })).verdict).toMatch(/^approve/);
    const rig = rigWith({ critic: objection("K1", "high") });
    expect(mustFail(await rig.ask("review", { reference: "FEAT-A", level: "lenient" }))).toMatchObject({
      kind: "problems",
      reason: "problems",
      details: { mode: "review", status: "finished" },
    });
  });
});

describe("inputs", () => {
  it.each([
    [{}, "source", "is missing"],
    [{ source: "an idea", from: "tasks", quick: true }, "from", expect.stringContaining("cannot be used with")],
    [{ source: "an idea", to: "docs" }, "to", "is only used with commit"],
    [{ source: "an idea", timeoutMinutes: 0 }, "timeoutMinutes", "must be at least 0.001"],
  ] as const)("%j is refused at %s", async (input, field, problem) => {
    expect(mustFail(await rigWith({}).ask("plan.start", input))).toMatchObject({
      reason: "invalid-input",
      details: { issues: [{ path: [field], problem }] },
    });
  });
});
