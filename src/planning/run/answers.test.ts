import { describe, expect, it } from "vitest";
import { must, mustFail, type TestPlan } from "../../../test/plan.js";
import {
  ANSWERS,
  type Answer,
  CLARIFICATION,
  CRITIQUE,
  planForEach,
  planningRig,
  request,
  SPEC,
  said,
} from "../../../test/planning.js";
import { changeItem } from "../../model/item/item.js";
import { ok } from "../../model/result.js";
import { answer } from "../../plan/answer/answer.js";
import { act } from "../../plan/base/context.js";
import { waiting } from "../../plan/overview/waiting.js";
import { whyItem } from "../../verbs/look/why.js";
import type { PlanningRunView } from "./view.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

const answering =
  (answers: Readonly<Record<string, unknown>>): Answer =>
  (topic) =>
    said(Object.hasOwn(answers, topic) ? answers[topic] : ANSWERS[topic]);

const textOf = async (key: string | undefined): Promise<string> =>
  plan.store.read(async (reader) => {
    const item = await reader.item("artifact", key ?? "");
    return (item && (await reader.document(item.fields.hash))) ?? "";
  });

describe("a question that a person has answered", () => {
  const approved = async (): Promise<void> => {
    const rig = planningRig(plan, { answer: answering({ clarifier: CLARIFICATION }) });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    must(await answer(plan, { id: key, option: "b", note: "as always" }));
    must(await rig.resume());
    must(await rig.approve("RUN-001"));
  };
  const revising = request({ mode: "revise", earlier: "RUN-001", text: undefined });

  it("is not asked again when the plan is revised, and every role is told the answer", async () => {
    await approved();
    const again = { ...CLARIFICATION.questions[0], id: "Q9", question: "in which  language does it GREET?" };
    const rig = planningRig(plan, {
      answer: answering({ clarifier: { ...CLARIFICATION, questions: [again] }, "author revise": {} }),
    });
    const view = must(await rig.plan(revising));
    expect(view).toMatchObject({ status: "ready", questions: [] });
    const told = { question: "In which language does it greet?", answer: "Latin", note: "as always" };
    expect(rig.requests.map(({ brief }) => brief.answers)).toEqual(rig.requests.map(() => [told]));
  });

  it("is kept as a decision, whole, also where it is too long for a title", async () => {
    const reasons = `It is spoken in ${Array.from({ length: 30 }, (_, n) => `country ${n}`).join(", ")}.`;
    const long = { ...CLARIFICATION.questions[0], question: `In which language does it greet? ${reasons}` };
    const rig = planningRig(plan, { answer: answering({ clarifier: { ...CLARIFICATION, questions: [long] } }) });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    must(await answer(plan, { id: key, option: "b" }));
    must(await rig.resume());
    must(await rig.approve("RUN-001"));
    const records = await plan.store.read((reader) => reader.items("record", { state: "active" }));
    expect(records.map(({ fields: { title, body } }) => ({ title, body }))).toContainEqual({
      title: "In which language does it greet?",
      body: `${long.question}\n\nLatin`,
    });
  });

  it("holds for each feature that it was said for, and the latest answer counts", async () => {
    await approved();
    const decisions = async (): Promise<unknown[]> => {
      const found = await plan.store.read((reader) => reader.items("record", {}));
      return found
        .filter(({ fields }) => fields.kind === "decision" && fields.title.startsWith("In which language"))
        .map(({ fields: { body, state, scope } }) => [body, state, scope]);
    };
    const feature = async (id: string): Promise<number> =>
      (await plan.store.read((reader) => reader.byId(id)))?.nr ?? 0;
    const first = await feature("FEAT-001");
    expect(await decisions()).toEqual([["Latin (as always)", "active", first]]);
    const say = async (
      given: Readonly<Record<string, unknown>>,
      asked: Parameters<typeof request>[0],
    ): Promise<void> => {
      const rig = planningRig(plan, { answer: answering({ clarifier: CLARIFICATION, "author revise": {}, ...given }) });
      const { id, questions } = must(await rig.plan(request(asked)));
      must(await answer(plan, { id: questions[0]?.id ?? "", option: "b", note: "as always" }));
      must(await rig.resume(id));
      must(await rig.approve(id));
    };
    const other = { ...(ANSWERS["author tasks"] as object), features: [{ id: "F1", title: "Another greeter" }] };
    await say({ "author tasks": other }, { source: "other.md", text: `${SPEC}\n` });
    const second = await feature("FEAT-002");
    const greek = { ...CLARIFICATION.questions[0], options: [{ label: "English" }, { label: "Greek" }] };
    await say({ clarifier: { ...CLARIFICATION, questions: [greek] } }, revising);
    expect(await decisions()).toEqual([
      ["Latin (as always)", "superseded", first],
      ["Latin (as always)", "active", second],
      ["Greek (as always)", "active", first],
    ]);
  });

  it.each([
    ["another one", { question: "In which language does it not greet?" }],
    ["one that no longer has that option", { options: [{ label: "English" }, { label: "Greek" }] }],
  ])("is no answer to %s", async (_, difference) => {
    await approved();
    const other = { ...CLARIFICATION.questions[0], ...difference };
    const rig = planningRig(plan, { answer: answering({ clarifier: { ...CLARIFICATION, questions: [other] } }) });
    const view: PlanningRunView = must(await rig.plan(revising));
    expect(view).toMatchObject({ status: "waiting" });
    expect(view.questions).toHaveLength(1);
  });
});

describe("a question that was withdrawn without an answer", () => {
  it("cannot keep its run from going on: it is asked again, and all doors say so", async () => {
    const rig = planningRig(plan, { answer: answering({ clarifier: CLARIFICATION }) });
    must(await rig.plan(request()));
    const withdrawn = await act(plan, "triage", async (writer) => {
      const item = await writer.item("question", "ESC-001");
      return ok({ sentence: "", changes: item ? changeItem(item, { state: "withdrawn" }) : [], value: null });
    });
    must(withdrawn);
    const why = async (): Promise<unknown> => must(await whyItem(plan, "RUN-001")).sentences.slice(0, 1);
    const waits = async (): Promise<unknown> =>
      must(await waiting(plan)).entries.map(({ id, next }) => [id, next[0]?.operation]);
    expect(await why()).toEqual([
      "A question of RUN-001 was withdrawn without an answer. Resume it, and it asks you again.",
    ]);
    expect(await waits()).toEqual([["RUN-001", "plan.resume"]]);
    expect(must(await rig.resume())).toMatchObject({ status: "waiting", questions: [{ id: "ESC-002" }] });
    expect(await why()).toEqual(["RUN-001 waits for your answers."]);
    expect(await waits()).toEqual([["ESC-002", "question.answer"]]);
    must(await answer(plan, { id: "ESC-002", option: "b" }));
    expect(await why()).toEqual(["RUN-001 has your answers and can go on."]);
    expect(must(await rig.resume())).toMatchObject({ status: "ready" });
  });
});

describe("what is read of a plan", () => {
  it("names its nodes as the plan does, once it is approved: also where reviewers speak of them", async () => {
    const remark = {
      id: "K1",
      severity: "low",
      area: "risk",
      title: "T1 is short",
      description: "See T1, not src/T1.ts or T11.",
      suggestion: "Join T1 and T2.",
      nodes: ["T1"],
    };
    const rig = planningRig(plan, { answer: answering({ critic: { ...CRITIQUE, findings: [remark] } }) });
    const before = must(await rig.plan(request())).artifacts;
    expect(await textOf(before.verification)).toContain("See T1, not");
    must(await rig.approve("RUN-001"));
    const { artifacts } = must(await rig.show("RUN-001"));
    const verification = await textOf(artifacts.verification);
    expect(verification).toContain("TASK-00001 is short");
    expect(verification).toMatch(/See TASK-00001, not src\/T1\.ts or T11\. Join TASK-00001 and TASK-00002\./);
    expect(verification).toMatch(/^\| TASK-00001 \| notes \|/m);
    expect(verification).not.toMatch(/\bT2\b/);
    expect(await textOf(artifacts.plan)).toContain("TASK-00001 is short");
  });

  it("counts remarks too, whatever the level shows", async () => {
    const draft = ANSWERS["author tasks"] as { readonly tasks: readonly object[] };
    const tasks = draft.tasks.map((task) => ({ ...task, estimateHours: undefined }));
    const rig = planningRig(plan, { answer: answering({ "author tasks": { ...draft, tasks } }) });
    const strict = must(await rig.plan(request({ level: "strict" }))).findings["conformance"];
    const normal = must(await rig.plan(request())).findings["conformance"];
    expect(normal?.["remark"]).toBeGreaterThan(0);
    expect(normal).toEqual(strict);
  });
});

it("a question whose clarification is lost is refused with what to do", async () => {
  const rig = planningRig(plan, { answer: answering({ clarifier: CLARIFICATION }) });
  const key = must(await rig.plan(request())).questions[0]?.id ?? "";
  must(
    await act(plan, "test", async (writer) => {
      const [run, question] = [await writer.item("run", "RUN-001"), await writer.item("question", key)];
      if (!run || !question) throw new Error("nothing was asked");
      const { clarification: _, ...current } = run.fields.current;
      const changes = [...changeItem(run, { current }), ...changeItem(question, { state: "withdrawn" })];
      return ok({ sentence: "lost the clarification", changes, value: undefined });
    }),
  );
  expect(mustFail(await rig.resume())).toMatchObject({
    reason: "broken",
    message: "The clarification of RUN-001 is lost: it has no question Q1. Plan again from the spec.",
  });
});
