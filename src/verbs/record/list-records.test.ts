import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, addInbox, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { approve } from "../../plan/node/approve.js";
import { activeRecords } from "../../plan/record/save-record.js";
import { log } from "../history/log.js";
import { redo, undo } from "../history/take-back.js";
import { verifyPlan } from "../history/verify.js";
import type { InputOf } from "../kit/verb.js";
import { show } from "../node/read-node.js";
import { addRecord } from "./add.js";
import { approveRecords } from "./approve.js";
import { listRecords } from "./list.js";
import { supersedeRecord } from "./supersede.js";

const note = async (plan: TestPlan, input: InputOf<"record.add">): Promise<string> =>
  must(await addRecord(plan, input)).id;

const constraint = (over: Partial<InputOf<"record.add">> = {}): InputOf<"record.add"> => ({
  kind: "constraint",
  title: "The old parser stays",
  forbidFiles: ["src/legacy/**"],
  forbidWords: ["npm install"],
  ...over,
});

const requirement = (over: Partial<InputOf<"record.add">> = {}): InputOf<"record.add"> => ({
  kind: "requirement",
  title: "Fast",
  metric: "p95_ms",
  op: "<=",
  target: 200,
  ...over,
});

const active = async (plan: TestPlan, feature: string | null): Promise<string[]> =>
  plan.store.read(async (reader) => {
    const node = feature === null ? undefined : await reader.byId(feature);
    return (await activeRecords(reader, node?.nr ?? null)).map(({ key }) => key);
  });

describe("records", () => {
  it("of a person hold at once, whatever they are, and those of an agent once a person approves them", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(await note(plan.as("agent:bot"), { kind: "decision", title: "Use SQLite", because: "one file" })).toBe(
      "DEC-001",
    );
    expect(await note(plan, { kind: "assumption", title: "Node 20" })).toBe("ASM-001");
    const bot = plan.as("agent:bot");
    expect(await note(bot, constraint({ in: "T-1" }))).toBe("CON-001");
    expect(await note(bot, requirement())).toBe("REQ-001");
    expect(await note(plan, constraint({ in: "T-1", title: "Another" }))).toBe("CON-002");
    // What an agent decides is a proposal.
    expect(await active(plan, null)).toEqual(["ASM-001"]);
    expect(mustFail(await ask(plan.as("agent:bot"), "record.approve", { ids: ["CON-001"] })).reason).toBe(
      "needs-person",
    );
    expect(must(await approveRecords(plan, { ids: ["con-1", "REQ-001", "DEC-001", "ASM-001"] }))).toMatchObject({
      approved: ["CON-001", "REQ-001", "DEC-001"],
      held: ["ASM-001"],
    });
    expect(await active(plan, "FEAT-A")).toEqual(["DEC-001", "ASM-001", "REQ-001", "CON-001", "CON-002"]);
    expect(await active(plan, null)).toEqual(["DEC-001", "ASM-001", "REQ-001"]);
    expect(must(await approveRecords(plan, { ids: ["CON-001"] })).op).toBeNull();
    expect(mustFail(await approveRecords(plan, { ids: ["CON-001", "CON-009"] }))).toMatchObject({
      kind: "absent",
      reason: "not-found",
    });
  });

  it("name the approved tasks that contradict them from now on", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/legacy/parse.ts"] }),
      task("T-2", { title: "Run npm install" }),
      task("T-3", { files: ["src/new.ts"] }),
    ]);
    await addAll(plan, [task("T-4", { files: ["src/legacy/unapproved.ts"] })]);
    must(await approve(plan, { references: ["T-1", "T-2", "T-3"] }));
    const id = await note(plan.as("agent:bot"), constraint());
    const contradicting = (record: string) => [
      { record, task: "T-1", kind: "forbidden-file", what: "src/legacy/parse.ts" },
      { record, task: "T-2", kind: "forbidden-words", what: "npm install" },
    ];
    expect(must(await approveRecords(plan, { ids: [id] })).contradictions).toMatchObject(contradicting(id));
    const own = must(await addRecord(plan, constraint({ title: "Another" })));
    expect(own.contradictions).toMatchObject(contradicting(own.id));
    const decision = await note(plan.as("agent:bot"), { kind: "decision", title: "npm install" });
    expect(must(await approveRecords(plan, { ids: [decision, id] })).contradictions).toEqual([]);
  });

  it("are listed by feature, kind and state", async () => {
    const plan = await makePlan([task("T-1")]);
    await addAll(plan, [{ id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" }]);
    await note(plan, { kind: "decision", title: "All" });
    await note(plan, { kind: "decision", title: "A", in: "FEAT-A", tasks: ["T-1"] });
    await note(plan, constraint({ in: "FEAT-B" }));
    const ids = async (input: Parameters<typeof listRecords>[1]): Promise<string[]> =>
      must(await listRecords(plan, input)).map(({ id }) => id);
    expect(await ids({})).toEqual(["DEC-001", "DEC-002", "CON-001"]);
    expect(await ids({ in: "T-1" })).toEqual(["DEC-001", "DEC-002"]);
    expect(await ids({ kind: "constraint" })).toEqual(["CON-001"]);
    must(await supersedeRecord(plan, { id: "DEC-001", with: "None" }));
    expect(await ids({ kind: "decision" })).toEqual(["DEC-002", "DEC-003"]);
    expect(await ids({ kind: "decision", all: true })).toEqual(["DEC-001", "DEC-002", "DEC-003"]);
    expect(must(await show(plan, "T-1")).records).toEqual([{ id: "DEC-002", kind: "decision", title: "A" }]);
    expect(mustFail(await listRecords(plan, { in: "MISSION" })).reason).toBe("no-feature");
  });

  it("take each other's place, and that can be taken back", async () => {
    const plan = await makePlan();
    await note(plan, constraint());
    must(await approveRecords(plan, { ids: ["CON-001"] }));
    expect(mustFail(await supersedeRecord(plan.as("agent:bot"), { id: "CON-001", with: "x" })).reason).toBe(
      "needs-person",
    );
    expect(mustFail(await ask(plan, "record.supersede", { id: "CON-001" })).reason).toBe("invalid-input");
    expect(mustFail(await ask(plan, "record.supersede", { id: "CON-001", by: "CON-002", with: "x" })).kind).toBe(
      "usage",
    );
    await note(plan.as("agent:bot"), constraint({ title: "Another" }));
    expect(mustFail(await supersedeRecord(plan, { id: "CON-001", by: "CON-002" })).reason).toBe("not-active");
    const { op, by } = must(await supersedeRecord(plan, { id: "CON-001", with: "Until May" }));
    expect(by).toMatchObject({
      id: "CON-003",
      state: "active",
      approvedBy: "human:ada",
      forbids: { files: ["src/legacy/**"] },
    });
    expect(await active(plan, null)).toEqual(["CON-003"]);
    must(await undo(plan, String(op)));
    expect(await active(plan, null)).toEqual(["CON-001"]);
    must(await redo(plan, op ?? 0));
    expect(await active(plan, null)).toEqual(["CON-003"]);
    expect(mustFail(await approveRecords(plan, { ids: ["CON-001"] })).reason).toBe("superseded");
    expect(must(await verifyPlan(plan)).differences).toEqual([]);
  });

  const measured = { kind: "requirement", title: "Fast", metric: "m", op: "<", target: 1 } as const;

  it.each<[string, unknown, string, ...(string | number)[]]>([
    ["an empty text", { kind: "decision", title: " " }, "must not be empty", "title"],
    ["a control character", { kind: "decision", title: "x", body: "\u0007" }, "contains the control", "body"],
    [
      "an empty alternative",
      { kind: "decision", title: "x", alternatives: [""] },
      "must not be empty",
      "alternatives",
      0,
    ],
    [
      "a pattern that leads out",
      { kind: "constraint", title: "x", forbidFiles: ["../x"] },
      "must be a pattern inside",
      "forbidFiles",
      0,
    ],
    ["a requirement without a measure", { kind: "requirement", title: "x" }, "is missing", "metric"],
    ["an unknown operator", { ...measured, op: "~" }, "must be one of <, <=, =, >=, >", "op"],
    ["a target that is no number", { ...measured, target: Number.NaN }, "must be a number", "target"],
    ["an empty metric", { ...measured, metric: "" }, "must not be empty", "metric"],
    ["an empty command", { ...measured, run: " " }, "must not be empty", "run"],
    [
      "a metric of a decision",
      { kind: "decision", title: "x", metric: "m" },
      "applies only to a requirement",
      "metric",
    ],
    [
      "a reason of a constraint",
      { kind: "constraint", title: "x", because: "y" },
      "applies only to a decision",
      "because",
    ],
  ])("refuse %s, naming the place", async (_, input, problem, ...path) => {
    const plan = await makePlan();
    const failure = mustFail(await ask(plan, "record.add", input as InputOf<"record.add">));
    expect(failure).toMatchObject({ kind: "usage", reason: "invalid-input" });
    expect((failure.details as { issues: unknown[] }).issues[0]).toEqual({
      path,
      problem: expect.stringContaining(problem),
    });
    expect(must(await listRecords(plan, { all: true }))).toEqual([]);
  });

  it.each<[string, InputOf<"record.add">, string]>([
    ["a feature that is not there", { kind: "decision", title: "x", in: "FEAT-X" }, "not-found"],
    ["a task that is not there", { kind: "decision", title: "x", tasks: ["T-X"] }, "not-found"],
  ])("refuse %s, and write nothing", async (_, input, reason) => {
    const plan = await makePlan();
    expect(mustFail(await addRecord(plan, input)).reason).toBe(reason);
    expect(must(await listRecords(plan, { all: true }))).toEqual([]);
  });
});

describe("approve holds the plan against the records", () => {
  const withRecords = async (...inputs: InputOf<"record.add">[]): Promise<TestPlan> => {
    const plan = await makePlan([
      task("T-1", { files: ["src/legacy/a.ts"], body: "Then npm install." }),
      task("T-2", { files: ["src/b.ts"] }),
    ]);
    for (const input of inputs) must(await approveRecords(plan, { ids: [await note(plan, input)] }));
    return plan;
  };

  it("and refuses what contradicts a constraint, naming each", async () => {
    const plan = await withRecords(constraint());
    const failure = mustFail(await approve(plan, { references: ["STORY-A"] }));
    expect(failure).toMatchObject({ kind: "refused", reason: "contradicts-record" });
    expect(failure.message).toContain('T-1 touches src/legacy/a.ts, which CON-001 "The old parser stays" forbids');
    expect(failure.message).toContain('T-1 says "npm install", which CON-001 "The old parser stays" forbids');
    expect(failure.next).toContainEqual({ operation: "record.list", input: {} });
    expect(must(await approve(plan, { references: ["T-2"] })).approved).toEqual(["T-2"]);
  });

  it("unless a reason is given, which is recorded", async () => {
    const plan = await withRecords(constraint());
    expect(mustFail(await ask(plan, "approve", { references: ["T-1"], despite: " " })).kind).toBe("usage");
    expect(must(await approve(plan, { references: ["T-1"], despite: "it goes in May" }))).toMatchObject({
      approved: ["T-1"],
      despite: ["CON-001"],
    });
    expect(must(await log(plan, { limit: 1 })).operations[0]?.sentence).toBe(
      "human:ada approved T-1 despite CON-001: it goes in May",
    );
    expect(must(await approve(plan, { references: ["T-2"], despite: "for no reason" })).despite).toEqual([]);
    // What is approved already is not looked at again.
    expect(must(await approve(plan, { references: ["T-1"] })).approved).toEqual([]);
  });

  it("and misses no requirement of a feature, wherever it is taken up", async () => {
    const plan = await withRecords(requirement(), requirement({ title: "Own", in: "FEAT-A" }));
    const failure = mustFail(await approve(plan, { references: ["FEAT-A"] }));
    expect(failure.details?.["contradictions"]).toMatchObject([
      { record: "REQ-001", kind: "requirement-missed" },
      { record: "REQ-002", kind: "requirement-missed" },
    ]);
    // Of a task alone nobody expects it.
    must(await approve(plan, { references: ["T-1"] }));
    await addAll(plan, [
      { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" },
      { id: "T-9", title: "Measure REQ-001 and REQ-002", parent: "FEAT-B" },
    ]);
    const still = mustFail(await approve(plan, { references: ["FEAT-A"] }));
    expect(still.details?.["contradictions"]).toMatchObject([{ record: "REQ-002" }]);
    await addAll(plan, [task("T-3", { checks: [{ run: "./measure REQ-002" }] })]);
    must(await approve(plan, { references: ["FEAT-A"] }));
  });

  it("by the feature that a task comes into, not the one that it leaves", async () => {
    const plan = await makePlan();
    await addInbox(plan);
    await addAll(plan, [task("T-9", { parent: "INBOX", body: "npm install" })]);
    must(await approveRecords(plan, { ids: [await note(plan, constraint({ in: "FEAT-A" }))] }));
    expect(mustFail(await approve(plan, { references: ["T-9"], to: "STORY-A" })).reason).toBe("contradicts-record");
    await addAll(plan, [{ id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" }]);
    must(await approve(plan, { references: ["T-9"], to: "FEAT-B" }));
  });
});
