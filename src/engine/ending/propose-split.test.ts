import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import type { SplitDraft, SplitPart } from "../../model/attempt/attempt.js";
import { answer } from "../../plan/answer/answer.js";
import { listQuestions } from "../../plan/answer/list-questions.js";

const part = (name: string, rest: Partial<SplitPart> = {}): SplitPart => ({
  title: `Make ${name}`,
  body: `\`\`\`sh run\necho ${name} > ${name}.txt\n\`\`\``,
  files: [`${name}.txt`],
  profile: null,
  after: [],
  checks: [{ run: `test -f ${name}.txt` }],
  ...rest,
});

const DRAFT: SplitDraft = { why: "It is two things.", parts: [part("left"), part("right", { after: [0] })] };

const whole = fileTask("whole", { files: ["left.txt", "right.txt"], checks: [{ run: "cat left.txt right.txt" }] });

interface Proposing {
  readonly shop: Shop;
  readonly prompts: string[];
}

/** The worker of T-whole always proposes a split; whoever does a part does it, and a review changes nothing. */
async function proposing(draft = DRAFT, tasks = [whole]): Promise<Proposing> {
  const prompts: string[] = [];
  const shop = await openShop(tasks, {
    doing: ({ cwd, task }, { prompt }) => {
      prompts.push(prompt);
      if (task.id === "T-whole") return { ending: "split", split: draft };
      for (const file of task.files) writeFileSync(join(cwd, file), "x\n");
      return {};
    },
  });
  await shop.workThrough();
  return { shop, prompts };
}

const asked = async ({ shop }: Proposing): Promise<string[]> =>
  must(await listQuestions(shop.plan)).map(({ id, kind, recommended }) => `${id} ${kind} ${recommended ?? ""}`);

describe("a proposed split", () => {
  it("freezes the task and shows the parts to a person", async () => {
    const given = await proposing();
    expect(await asked(given)).toEqual(["ESC-001 split split"]);
    const [question] = must(await listQuestions(given.shop.plan));
    expect(question?.context.split("\n")).toEqual([
      "It is two things.",
      "1. Make left (left.txt)",
      "   check: test -f left.txt",
      "   | ```sh run",
      "   | echo left > left.txt",
      "   | ```",
      "2. Make right (right.txt), after 1",
      "   check: test -f right.txt",
      "   | ```sh run",
      "   | echo right > right.txt",
      "   | ```",
      "Proposed by ATT-00001.",
    ]);
    expect((await given.shop.plan.view("T-whole")).status).toBe("frozen");
  });

  it("is carried out when a person says so: parts, then a review of them, then what waited", async () => {
    const given = await proposing(DRAFT, [whole, fileTask("after", { dependsOn: ["T-whole"] })]);
    must(await answer(given.shop.plan, { id: "ESC-001", option: "split" }));
    await given.shop.workThrough();
    const done = (await given.shop.attempts()).map(({ taskId, state }) => `${taskId} ${state}`);
    expect(done).toEqual([
      "T-whole released",
      "TASK-00001 accepted",
      "TASK-00002 accepted",
      "TASK-00003 accepted",
      "T-after accepted",
    ]);
    expect(await given.shop.plan.view("TASK-00003")).toMatchObject({ kind: "review", status: "done" });
    expect((await given.shop.plan.store.verify()).differences).toEqual([]);
  });

  it("that cannot be carried out says so, and recommends to do without", async () => {
    const given = await proposing({ why: "Why not.", parts: [part("left"), part("right", { files: ["left.txt"] })] });
    expect(await asked(given)).toEqual(["ESC-001 split linear"]);
    expect(must(await listQuestions(given.shop.plan))[0]?.context).toContain("both touch left.txt");
  });

  it("is not proposed again once a person decided against it", async () => {
    const given = await proposing();
    expect(given.prompts[0]).not.toContain("# In one piece");
    must(await answer(given.shop.plan, { id: "ESC-001", option: "linear" }));
    await given.shop.workThrough();
    expect(given.prompts[1]).toContain("# In one piece");
    const [first, second] = await given.shop.attempts();
    expect([first?.state, second?.state]).toEqual(["released", "failed"]);
    expect(second?.failure).toMatchObject({
      class: "design",
      reason: expect.stringContaining("in one piece") as string,
    });
    expect((await asked(given)).map((line) => line.split(" ")[1])).toEqual(["rejected"]);
    expect((await given.shop.plan.view("T-whole")).status).toBe("rejected");
  });
});

describe("a task that looks too big", () => {
  const prompted = async (files: string[]): Promise<string> => {
    const { prompts } = await proposing(DRAFT, [{ ...whole, files }]);
    return prompts[0] ?? "";
  };

  it("is said to its agent", async () => {
    expect(await prompted(["page.tsx", "schema.sql"])).toContain("it needs 2 profiles: frontend, data");
    expect(await prompted(Array.from({ length: 13 }, (_, i) => `src/f${i}.ts`))).toContain("it names 13 files");
  });

  it("is not one that has its tests with it", async () => {
    expect(await prompted(["src/a.ts", "src/a.test.ts"])).not.toContain("# Perhaps too big");
  });
});
