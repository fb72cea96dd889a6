import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import type { Change } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { undo } from "../../verbs/history/take-back.js";
import { why } from "../../verbs/look/why-node.js";
import { show } from "../../verbs/node/read-node.js";
import { act } from "../base/context.js";
import { type NewQuestion, raise, withdraw } from "../question/raise.js";
import { answer } from "./answer.js";
import { listQuestions } from "./list-questions.js";

const QUESTION: NewQuestion = {
  kind: "question",
  question: "Which database?",
  owner: "RUN-001",
  options: [
    { id: "sqlite", label: "SQLite", detail: "one file" },
    { id: "pg", label: "PostgreSQL", detail: "" },
  ],
  recommended: "sqlite",
  blocks: ["RUN-001", "FEAT-A"],
};

/** As planning does it: several in one operation. */
async function raiseAll(plan: TestPlan, ...questions: NewQuestion[]): Promise<{ key: string; isNew: boolean }[]> {
  const committed = await act(plan.as("agent:bot"), "plan-step", async (writer, at) => {
    const changes: Change[] = [];
    const raised: { key: string; isNew: boolean }[] = [];
    for (const question of questions) {
      const { key, changes: own } = await raise(writer, question, { by: "agent:bot", at }, changes as never);
      changes.push(...own);
      raised.push({ key, isNew: own.length > 0 });
    }
    return ok({ sentence: "asked", changes, value: raised });
  });
  return must(committed).value;
}

describe("escalations", () => {
  it("are asked once per owner while they are open", async () => {
    const plan = await makePlan();
    expect(await raiseAll(plan, QUESTION, QUESTION, { ...QUESTION, owner: "RUN-002" })).toEqual([
      { key: "ESC-001", isNew: true },
      { key: "ESC-001", isNew: false },
      { key: "ESC-002", isNew: true },
    ]);
    expect(await raiseAll(plan, QUESTION)).toEqual([{ key: "ESC-001", isNew: false }]);
    must(await answer(plan, { id: "ESC-001", option: "1" }));
    expect(await raiseAll(plan, QUESTION)).toEqual([{ key: "ESC-003", isNew: true }]);
  });

  it("recommend only what can be chosen", async () => {
    const plan = await makePlan();
    await raiseAll(plan, { ...QUESTION, recommended: "mysql" });
    expect(must(await listQuestions(plan))[0]).toMatchObject({ recommended: null, expired: false, expiresAt: null });
  });

  it("are answered by a person, once", async () => {
    const plan = await makePlan();
    await raiseAll(plan, QUESTION);
    expect(mustFail(await ask(plan.as("agent:bot"), "question.answer", { id: "ESC-001", option: "1" })).reason).toBe(
      "needs-person",
    );
    expect(mustFail(await answer(plan, { id: "ESC-009", option: "1" })).reason).toBe("not-found");
    const unknown = mustFail(await answer(plan, { id: "ESC-001", option: "mysql" }));
    expect(unknown).toMatchObject({ kind: "usage", reason: "unknown-option", details: { options: ["sqlite", "pg"] } });
    expect(unknown.message).toContain("1 sqlite (SQLite), 2 pg (PostgreSQL)");
    const given = must(await answer(plan, { id: "esc-1", option: "postgre", note: "for the team" }));
    expect(given).toMatchObject({
      option: "pg",
      label: "PostgreSQL",
      note: "for the team",
      next: [{ operation: "plan.resume", input: { run: "RUN-001" } }],
    });
    const twice = mustFail(await answer(plan, { id: "ESC-001", option: "sqlite" }));
    expect(twice.message).toBe("human:ada answered ESC-001 already: PostgreSQL (for the team).");
    expect(must(await listQuestions(plan))).toEqual([]);
    expect(must(await listQuestions(plan, { all: true }))[0]).toMatchObject({
      state: "answered",
      answer: { option: "pg" },
    });
    must(await undo(plan, String(given.op)));
    expect(must(await listQuestions(plan))[0]).toMatchObject({ state: "open", answer: null });
  });

  it("say when a label could be several, and take words when there are no options", async () => {
    const plan = await makePlan();
    const options = ["Post it", "Postpone"].map((label) => ({ id: label.toLowerCase(), label, detail: "" }));
    await raiseAll(
      plan,
      { ...QUESTION, options },
      { ...QUESTION, question: "What is it called?", options: [], owner: "T-1" },
    );
    expect(mustFail(await answer(plan, { id: "ESC-001", option: "post" }))).toMatchObject({ kind: "ambiguous" });
    expect(must(await answer(plan, { id: "ESC-002", option: "Zip tool" }))).toMatchObject({
      option: "Zip tool",
      next: [],
    });
    expect(mustFail(await ask(plan, "question.answer", { id: "ESC-001", option: "1", note: " " }))).toMatchObject({
      reason: "invalid-input",
      message: "note must not be empty.",
    });
  });

  it("that have expired can still be answered, and say so", async () => {
    const plan = await makePlan();
    await raiseAll(plan, { ...QUESTION, expiresAt: plan.now() + 60_000 });
    plan.pass(120_000);
    expect(must(await listQuestions(plan))[0]?.expired).toBe(true);
    expect(must(await answer(plan, { id: "ESC-001", option: "1" })).expired).toBe(true);
  });

  it("can be withdrawn by who asked: all, or all but the one that is answered", async () => {
    const plan = await makePlan();
    await raiseAll(plan, QUESTION, { ...QUESTION, question: "Another?" }, { ...QUESTION, owner: "RUN-002" });
    const take = async (owner: string, answered?: string): Promise<unknown> =>
      act(plan, "plan-step", async (writer) =>
        ok({ sentence: "withdrew", changes: await withdraw(writer, owner, answered), value: null }),
      );
    await take("RUN-001", "ESC-001");
    expect(must(await listQuestions(plan)).map(({ id }) => id)).toEqual(["ESC-001", "ESC-003"]);
    await take("RUN-001");
    expect(must(await listQuestions(plan)).map(({ id }) => id)).toEqual(["ESC-003"]);
    expect(mustFail(await answer(plan, { id: "ESC-001", option: "1" })).reason).toBe("withdrawn");
  });

  it("show up where they hold something up, and change no reason", async () => {
    const plan = await makePlan([task("T-1")]);
    const before = must(await why(plan, "T-1"));
    expect(before.questions).toEqual([]);
    await raiseAll(plan, QUESTION, { ...QUESTION, question: "Elsewhere?", blocks: ["FEAT-Z"], recommended: null });
    const question = {
      id: "ESC-001",
      question: "Which database?",
      recommended: "sqlite",
      answer: { operation: "question.answer", input: { id: "ESC-001", option: "sqlite" } },
    };
    expect(must(await why(plan, "T-1"))).toEqual({ ...before, questions: [question] });
    expect(must(await show(plan, "T-1")).questions).toEqual([question]);
    expect(must(await show(plan, "MISSION")).questions).toEqual([]);
  });
});
