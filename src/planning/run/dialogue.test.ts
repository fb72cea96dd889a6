// Author and reviewers talk, and a person decides between them: whole runs with scripted answers.

import { describe, expect, it } from "vitest";
import { must, mustFail, type TestPlan } from "../../../test/plan.js";
import {
  ANSWERS,
  CLARIFICATION,
  CRITIQUE,
  objection,
  planForEach,
  planningRig,
  REVISION,
  type Rig,
  reply,
  request,
  withAnswers,
} from "../../../test/planning.js";
import type { Question } from "../../model/item/question.js";
import { ok } from "../../model/result.js";
import { answer } from "../../plan/answer/answer.js";
import type { Feedback } from "../contracts/findings.js";
import { promptFor } from "../roles/prompt.js";
import type { RoleRequest } from "../roles/server.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

const question = async (key: string | undefined): Promise<Question> => {
  const item = await plan.store.read((reader) => reader.item("question", key ?? ""));
  if (!item) throw new Error(`no question ${key ?? ""}`);
  return item.fields;
};

const artifact = async (rig: Rig, run: string, kind: "verification" | "plan"): Promise<string> => {
  const { artifacts } = must(await rig.show(run));
  return plan.store.read(async (reader) => {
    const item = await reader.item("artifact", artifacts[kind] ?? "");
    return (item && (await reader.document(item.fields.hash))) ?? "";
  });
};

const feedbackOf = (rig: Rig, topic = "author revise"): readonly Feedback[] => {
  const at = rig.asked.lastIndexOf(topic);
  return rig.requests[at]?.brief.feedback ?? [];
};

const T1 = (ANSWERS["author tasks"] as { tasks: object[] }).tasks[0] as object;

/** A revision that changes something and answers K1 in this way. */
const revision = (body: string, action: string, note = ""): object => ({
  tasks: [{ ...T1, body }],
  responses: [{ finding: "K1", action, note }],
});

const EVIDENCE = [{ file: "src/there.ts", lineStart: 3, claim: "spaces are cut" }];
const insisting = (): object => {
  const critique = objection("K1", "high") as { findings: object[] };
  return {
    ...critique,
    findings: critique.findings.map((finding) => ({ ...finding, evidence: EVIDENCE })),
    questions: [{ id: "Q1", question: "Who tests names with spaces?" }],
  };
};

describe("a stop", () => {
  const stopped = async (): Promise<{ rig: Rig; key: string }> => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [insisting(), insisting(), CRITIQUE],
        "author revise": [revision("One.", "fixed", "see T1"), revision("Two.", "fixed")],
      }),
    });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    return { rig, key };
  };

  it("shows the worst findings, what the author answered, the reviewer's questions and the report", async () => {
    const { rig, key } = await stopped();
    const { kind, context, options } = await question(key);
    expect(kind).toBe("stagnation");
    expect(options.map(({ id }) => id)).toEqual(["guide", "start-over", "accept", "abort"]);
    expect(context).toContain("critic K1 (high) Something is missing");
    expect(context).toContain("src/there.ts:3 spaces are cut");
    expect(context).toContain("author: fixed, see T1");
    expect(context).toContain("critic: Who tests names with spaces?");
    const report = must(await rig.show()).artifacts.verification ?? "";
    expect(context).toContain(`The whole report is ${report}.`);
    expect(await artifact(rig, "RUN-001", "verification")).toContain("Author: fixed, see T1.");
  });

  it("takes guidance, which reaches the author as feedback from a person", async () => {
    const { rig, key } = await stopped();
    expect(mustFail(await answer(plan, { id: key, option: "guide" })).reason).toBe("needs-note");
    must(await answer(plan, { id: key, option: "Trim names before you greet" }));
    const view = must(await rig.resume());
    expect(view).toMatchObject({ status: "ready", revisions: 2 });
    const said = feedbackOf(rig);
    expect(said.map(({ source }) => source)).toEqual(["critic", "person"]);
    expect(said[1]).toMatchObject({ note: "Trim names before you greet" });
  });

  it("takes a note with starting over as guidance, and numbers its rounds on", async () => {
    const { rig, key } = await stopped();
    must(await answer(plan, { id: key, option: "start-over", note: "Trim names." }));
    must(await rig.resume());
    expect(feedbackOf(rig)[1]).toMatchObject({ source: "person", note: "Trim names." });
    const rounds = rig.progress.flatMap((each) => (each.type === "linted" ? [each.round] : []));
    expect(rounds).toEqual([0, 1, 2]);
    expect(await artifact(rig, "RUN-001", "verification")).toContain("Round 3, critic");
  });

  it("refuses a single word that is no option: it is a slip", async () => {
    const { key } = await stopped();
    expect(mustFail(await answer(plan, { id: key, option: "abrot" })).reason).toBe("unknown-option");
  });

  it("after a failed author takes words, and gives them to the author that is asked again", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ "author tasks": [reply(undefined, { ending: "refused", message: "No." })] }),
    });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    expect((await question(key)).context).toContain("No.");
    must(await answer(plan, { id: key, option: "guide", note: "It is only a greeting." }));
    expect(must(await rig.resume()).status).toBe("ready");
    expect(feedbackOf(rig, "author tasks")).toMatchObject([{ source: "person", note: "It is only a greeting." }]);
  });

  it("by a limit of time has its report too", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ critic: [objection("K1", "high"), reply(undefined, { ending: "timeout" })] }),
    });
    expect(must(await rig.plan(request()))).toMatchObject({ status: "halted" });
    expect(await artifact(rig, "RUN-001", "verification")).toContain("K1 (high)");
  });
});

describe("a clarifying question", () => {
  it.each([
    ["as a note", { option: "other", note: "Klingon" }, "Klingon"],
    ["as the answer itself", { option: "Klingon and Latin" }, "Klingon and Latin"],
  ])("takes an answer in your own words, %s", async (_, given, words) => {
    const rig = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    expect((await question(key)).options.map(({ id }) => id)).toEqual(["a", "b", "other"]);
    must(await answer(plan, { id: key, ...given }));
    must(await rig.resume());
    expect(rig.requests.at(-1)?.brief.answers).toEqual([
      { question: "In which language does it greet?", answer: words, note: "" },
    ]);
  });
});

describe("the author", () => {
  it("has to answer grave findings, and to give a reason for declining one", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [objection("K1", "high"), CRITIQUE],
        "author revise": [{ ...REVISION, responses: [] }, revision("One.", "declined"), revision("One.", "fixed")],
      }),
    });
    expect(must(await rig.plan(request())).status).toBe("ready");
    const problems = rig.progress.flatMap((each) => (each.type === "sent-back" ? each.problems : []));
    expect(problems).toEqual([
      expect.stringContaining("K1 (high) has no response"),
      expect.stringContaining("K1 is declined without a reason"),
    ]);
  });

  it("is heard by the critic, and a person decides with both sides when the critic insists", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [insisting(), insisting(), CRITIQUE],
        "author revise": [revision("One.", "declined", "names have no spaces"), revision("Two.", "fixed")],
      }),
    });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    const second = rig.requests[rig.asked.lastIndexOf("critic")]?.brief;
    expect(second?.responses).toMatchObject([{ id: "K1", action: "declined", note: "names have no spaces" }]);
    const { question: words, context } = await question(key);
    expect(words).toContain("insists on what the author declined");
    expect(context).toContain("Something is missing");
    expect(context).toContain("author: declined, names have no spaces");
    must(await answer(plan, { id: key, option: "guide", note: "The critic is right." }));
    expect(must(await rig.resume()).status).toBe("ready");
    expect(await artifact(rig, "RUN-001", "plan")).toContain("declined: names have no spaces");
  });

  it("never reaches a fresh overviewer, who hears nothing of earlier findings", async () => {
    const { findings } = objection("O1", "high") as { findings: Record<string, unknown>[] };
    const { area: _, ...finding } = findings[0] ?? {};
    const rig = planningRig(plan, {
      answer: withAnswers({
        overviewer: [{ findings: [finding], assessment: "No." }],
        "author revise": [{ tasks: [{ ...T1, body: "One." }], responses: [{ finding: "O1", action: "fixed" }] }],
      }),
    });
    expect(must(await rig.plan(request())).status).toBe("ready");
    const { brief, session } = rig.requests[rig.asked.lastIndexOf("overviewer")] as RoleRequest;
    expect({ responses: brief.responses, session }).toEqual({ responses: [], session: null });
    expect(promptFor(brief, "=====")).not.toContain("Something is missing");
  });

  it("is not said to insist because a fresh overviewer used the same id for another problem", async () => {
    const problem = (title: string): object => {
      const { findings } = objection("O1", "high") as { findings: Record<string, unknown>[] };
      const { area: _, ...finding } = findings[0] ?? {};
      return { findings: [{ ...finding, title }], assessment: "No." };
    };
    const rig = planningRig(plan, {
      answer: withAnswers({
        overviewer: [problem("No test for spaces"), problem("No test for tabs")],
        "author revise": [
          { tasks: [{ ...T1, body: "One." }], responses: [{ finding: "O1", action: "declined", note: "No spaces." }] },
          { tasks: [{ ...T1, body: "Two." }], responses: [{ finding: "O1", action: "fixed" }] },
        ],
      }),
    });
    expect(must(await rig.plan(request()))).toMatchObject({ status: "ready", revisions: 2 });
  });

  it("may leave a finding to a person", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [insisting(), CRITIQUE],
        "author revise": [revision("One.", "needs-decision", "Are spaces allowed?"), revision("Two.", "fixed")],
      }),
    });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    const asked = await question(key);
    expect(asked.options.map(({ id }) => id)).toEqual(["guide", "accept", "abort"]);
    expect(asked.context).toContain("needs-decision, Are spaces allowed?");
    expect(rig.asked.filter((topic) => topic === "critic")).toHaveLength(1);
    must(await answer(plan, { id: key, option: "Spaces are allowed." }));
    expect(must(await rig.resume()).status).toBe("ready");
  });
});

describe("a critic that rates an area as failed and has no finding", () => {
  const failing = { ...CRITIQUE, ratings: { ...CRITIQUE.ratings, risk: "fail" } };

  it("never sends the author nothing", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [failing, CRITIQUE],
        "author revise": [
          { tasks: [{ ...T1, body: "One." }], responses: [{ finding: "rating-risk", action: "fixed" }] },
        ],
      }),
    });
    expect(must(await rig.plan(request()))).toMatchObject({ status: "ready", revisions: 1 });
    expect(feedbackOf(rig)[0]?.findings).toMatchObject([
      { id: "rating-risk", severity: "high", area: "risk", description: "It would work. It is small." },
    ]);
  });

  it("never asks you about serious problems without naming one", async () => {
    const fixed = (body: string): object => ({
      tasks: [{ ...T1, body }],
      responses: [{ finding: "rating-risk", action: "fixed" }],
    });
    const rig = planningRig(plan, {
      answer: withAnswers({ critic: [failing, failing], "author revise": [fixed("One."), fixed("Two.")] }),
    });
    const key = must(await rig.plan(request())).questions[0]?.id;
    expect((await question(key)).context).toContain("The critic rates the risk of the plan as failed");
  });
});

it("a run that you abort never waits: the answer ends it", async () => {
  const rig = planningRig(plan, {
    answer: withAnswers({ critic: [insisting(), insisting()], "author revise": [revision("One.", "declined", "No.")] }),
  });
  const key = must(await rig.plan(request())).questions[0]?.id ?? "";
  must(await rig.ask("question.answer", { id: key, option: "abort" }));
  expect((await rig.list()).map(({ status }) => status)).toEqual(["aborted"]);
});

it("a review is never continued from a stage that it does not have", async () => {
  const rig = planningRig(plan);
  must(await rig.plan(request()));
  must(await rig.approve());
  must(await rig.plan(request({ mode: "review", kind: "node", text: undefined, source: null, earlier: "RUN-001" })));
  const from = await rig.plan(request({ mode: "review", text: undefined, from: "tasks", earlier: "RUN-002" }));
  expect(mustFail(from).message).toContain("RUN-002 is a review of a plan");
  const again = must(await rig.ask("plan.start", { from: "tasks" }));
  expect(again).toMatchObject({ id: "RUN-003", status: "ready" });
});

it("a plan that waits for itself is never said to be in order", async () => {
  const circle = (id: string, on: string): object => ({ ...T1, id, dependsOn: [on] });
  const rig = planningRig(plan, {
    served: ["author"],
    answer: withAnswers({
      "author tasks": [{ ...(ANSWERS["author tasks"] as object), tasks: [circle("T1", "T2"), circle("T2", "T1")] }],
    }),
  });
  await rig.plan(request());
  const found = rig.progress.find((each) => each.type === "sequenced");
  expect(found).toMatchObject({ cyclic: ["T1", "T2"] });
});

it("a note beside a plan document is never dropped: the author gets it", async () => {
  const rig = planningRig(plan);
  must(await rig.plan(request()));
  const text = await artifact(rig, "RUN-001", "plan");
  must(await rig.ask("plan.start", { source: { text, path: "/nowhere/plan.md" }, note: "Greet in Latin, too." }));
  expect(rig.asked.filter((topic) => topic === "author revise")).toHaveLength(1);
  expect(feedbackOf(rig)).toMatchObject([{ source: "person", note: "Greet in Latin, too." }]);
});

describe("a conversation", () => {
  it("is never taken to know a prompt on which the agent's turn broke off", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ "author capabilities": [reply(undefined, { ending: "timeout" })] }),
    });
    expect(must(await rig.plan(request())).status).toBe("halted");
    must(await rig.resume());
    const toldOf = (topic: string): readonly string[] => rig.requests[rig.asked.lastIndexOf(topic)]?.told ?? [];
    expect([toldOf("author capabilities"), toldOf("author files")]).toEqual([[], ["What says the author?"]]);
  });
});

describe("a draft that says nothing new", () => {
  const critics = (rig: Rig): number => rig.asked.filter((topic) => topic === "critic").length;

  it("is not sent to the critic when nothing changed", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [insisting()],
        "author revise": [{ responses: [{ finding: "K1", action: "declined", note: "It is there." }] }],
      }),
    });
    const view = must(await rig.plan(request()));
    expect(view.status).toBe("waiting");
    expect((await question(view.questions[0]?.id)).context).toContain("author: declined, It is there.");
    expect(critics(rig)).toBe(1);
  });

  it("is not sent to the critic when it goes round in a circle", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [objection("K1", "high"), objection("K2", "high")],
        "author revise": [revision("One.", "fixed"), { tasks: [T1], responses: [{ finding: "K2", action: "fixed" }] }],
      }),
    });
    expect(must(await rig.plan(request())).status).toBe("waiting");
    expect(critics(rig)).toBe(2);
  });

  it("passes with notes when nothing grave is open", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ critic: [objection("K1", "medium")], "author revise": [{}] }),
    });
    expect(must(await rig.plan(request()))).toMatchObject({ status: "ready", verdict: "approve-with-notes" });
    expect(critics(rig)).toBe(1);
  });

  it("comes back to you as it was when you asked for changes", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ "author revise": [{}] }) });
    must(await rig.plan(request()));
    expect(mustFail(await rig.revise("RUN-001", "smaller"))).toMatchObject({ reason: "unchanged" });
    expect(must(await rig.show()).status).toBe("ready");
    expect(critics(rig)).toBe(1);
  });
});

describe("a plan that cannot be read", () => {
  it("asks a person, and is judged by the program alone until it passes", async () => {
    const draft = ANSWERS["author tasks"] as { tasks: object[] };
    const rig = planningRig(plan, {
      answer: withAnswers({
        "author tasks": { ...draft, tasks: [], features: [] },
        "author revise": [
          { tasks: draft.tasks.slice(0, 2), features: [{ id: "F1", title: "Greeter" }] },
          { tasks: draft.tasks.slice(2) },
        ],
      }),
    });
    const view = must(await rig.plan(request()));
    const { kind, context } = await question(view.questions[0]?.id);
    expect(kind).toBe("conformance");
    expect(context).toContain("P-NO-TASKS");
    expect(rig.asked).not.toContain("critic");
    must(await answer(plan, { id: view.questions[0]?.id ?? "", option: "start-over" }));
    expect(must(await rig.resume()).status).toBe("ready");
    const after = rig.asked.slice(rig.asked.indexOf("author revise"));
    expect(after).toEqual(["author revise", "author revise", "critic", "overviewer"]);
  });
});

describe("a call that fails for the moment", () => {
  const overloaded = reply(undefined, { ending: "refused", message: "API Error: 529 overloaded" });
  const crashed = reply(undefined, { ending: "crashed", message: "It fell over." });

  it("is made again before anybody is asked", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ "author tasks": [crashed, overloaded] }),
      services: { retryDelaysMs: [1, 1, 1] },
    });
    const view = must(await rig.plan(request()));
    expect(view).toMatchObject({ status: "ready", questions: [] });
    expect(rig.progress.flatMap((each) => (each.type === "retrying" ? [each.message] : []))).toEqual([
      "It fell over.",
      "API Error: 529 overloaded",
    ]);
    const { roleCalls } = must(await rig.show());
    expect(roleCalls.filter(({ state }) => state === "failed").map(({ error }) => error?.settled)).toEqual([
      true,
      true,
    ]);
  });

  it("ends in a question when it keeps failing, and at once when an agent declines", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({
        critic: [crashed, crashed, reply(undefined, { ending: "refused", message: "I will not." })],
      }),
      services: { retryDelaysMs: [1] },
    });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    expect((await question(key)).kind).toBe("failure");
    must(await answer(plan, { id: key, option: "retry" }));
    expect(must(await rig.resume()).status).toBe("waiting");
    expect(rig.asked.filter((topic) => topic === "critic")).toHaveLength(3);
  });
});

describe("what submit refused", () => {
  const PROBLEMS = ["tasks.0.id: must be a short id such as T1"];

  it("goes into the repair prompt when nothing was handed in after it", async () => {
    const nothing = reply(undefined, {
      ending: "no-output",
      message: "It ended.",
      refused: [["title: first"], PROBLEMS],
    });
    const rig = planningRig(plan, { answer: withAnswers({ "author tasks": [nothing] }) });
    must(await rig.plan(request()));
    const repairs = rig.requests.filter(({ brief }) => brief.problems.length > 0);
    expect(repairs.map(({ brief }) => brief.problems)).toEqual([PROBLEMS]);
  });

  it("is shown with a call whose agent corrected it", async () => {
    const corrected = reply(ANSWERS["author tasks"], { refused: [PROBLEMS] });
    const rig = planningRig(plan, { answer: withAnswers({ "author tasks": [corrected] }) });
    must(await rig.plan(request()));
    const { roleCalls } = must(await rig.show());
    const call = roleCalls.find(({ stage }) => stage === "tasks");
    expect(call).toMatchObject({ state: "answered", error: { settled: true } });
    expect(call?.error?.message).toContain(PROBLEMS[0]);
  });
});

it("says once in a run that agents wrote although they may only read, and keeps with each call what it wrote", async () => {
  const written = [["owned.txt"], ["a", "b", "c", "d", "e", "f", "g"]];
  const rig = planningRig(plan, {
    services: {
      readingFolder: async () => ({
        layOut: async () => ok("/nowhere"),
        written: async () => written.shift() ?? [],
        letGo: () => undefined,
      }),
    },
  });
  must(await rig.plan(request()));
  const warned = rig.progress.flatMap((each) => (each.type === "warned" ? [each.message] : []));
  expect(warned).toEqual([
    "It may only read, but wrote owned.txt in its own copy of the files. The copy is thrown away.",
  ]);
  const { roleCalls } = must(await rig.show());
  expect(roleCalls.map(({ wrote }) => wrote?.length ?? 0)).toEqual([1, 7, ...roleCalls.slice(2).map(() => 0)]);
});
