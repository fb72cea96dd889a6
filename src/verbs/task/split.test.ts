import { describe, expect, it } from "vitest";
import { makePlan, must, type TestPlan } from "../../../test/plan.js";
import { answer } from "../../plan/answer/answer.js";
import { approve } from "../../plan/node/approve.js";
import { next } from "./next.js";
import { type ProposedPart, proposeToSplit } from "./split.js";

const PARTS: ProposedPart[] = [
  { title: "Read", files: ["src/read.ts"], checks: [{ run: "true" }] },
  { title: "Print", files: ["src/print.ts"], after: [1] },
];

const WORKER = "agent:w";

/** A task that a worker claimed, and the token. */
async function claimed(): Promise<{ plan: TestPlan; id: string; token: string }> {
  const plan = await makePlan([
    { id: "FEAT-001", tier: "feature", title: "Reader" },
    { id: "TASK-1", tier: "task", title: "Read and print", parent: "FEAT-001" },
  ]);
  must(await approve(plan, { references: ["FEAT-001"] }));
  const [given] = must(await next(plan.as(WORKER), {}));
  return { plan, id: given?.task.id ?? "", token: given?.token ?? "" };
}

describe("a proposed split", () => {
  it("gives the claim back, freezes the task and asks; a person's yes makes the parts", async () => {
    const { plan, id, token } = await claimed();
    const proposed = must(
      await proposeToSplit(plan.as(WORKER), { reference: id, token, reason: "It is two things.", parts: PARTS }),
    );
    expect(await plan.view(id)).toMatchObject({ status: "frozen", claim: null });
    const answered = must(await answer(plan, { id: proposed.question, option: "split" }));
    expect(answered.did).toContain(`${id} is split into`);
    expect((await plan.view(id)).status).toBe("dropped");
    const [first] = must(await next(plan.as("agent:x"), {}));
    expect(first?.task.title).toBe("Read");
  });

  it("is not proposed again after a person said that the task stays whole", async () => {
    const { plan, id, token } = await claimed();
    const worker = plan.as(WORKER);
    const { question } = must(await proposeToSplit(worker, { reference: id, token, reason: "Two.", parts: PARTS }));
    must(await answer(plan, { id: question, option: "linear" }));
    const [given] = must(await next(worker, {}));
    const again = await proposeToSplit(worker, {
      reference: id,
      token: given?.token ?? "",
      reason: "Two.",
      parts: PARTS,
    });
    expect(again).toMatchObject({ ok: false, error: { reason: "in-one-piece" } });
  });

  it.each([
    ["one part", PARTS.slice(0, 1), "bad-split", "at least 2 parts"],
    [
      "parts that wait for each other",
      PARTS.map((part, i) => ({ ...part, after: [2 - i] })),
      "bad-split",
      "wait for each other",
    ],
    ["parts that touch one file", PARTS.map(({ title }) => ({ title, files: ["a.ts"] })), "bad-split", "a.ts"],
    ["a dangerous check", [PARTS[0], { title: "x", checks: [{ run: "rm -rf /" }] }], "bad-split", "rm -rf"],
  ])("with %s changes nothing", async (_, parts, reason, said) => {
    const { plan, id, token } = await claimed();
    const input = { reference: id, token, reason: "Two.", parts: parts as ProposedPart[] };
    expect(await proposeToSplit(plan.as(WORKER), input)).toMatchObject({
      ok: false,
      error: { reason, message: expect.stringContaining(said) },
    });
    expect((await plan.view(id)).status).toBe("in_progress");
  });

  it("needs the claim", async () => {
    const { plan, id } = await claimed();
    const input = { reference: id, token: "f".repeat(32), reason: "Two.", parts: PARTS };
    expect((await proposeToSplit(plan.as("agent:other"), input)).ok).toBe(false);
    expect((await plan.view(id)).status).toBe("in_progress");
  });
});
