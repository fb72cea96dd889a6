import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FEATURE, type Finished, finished, isClean, never } from "../../../test/finished-feature.js";
import { gitIn } from "../../../test/git-repository.js";
import { must } from "../../../test/plan.js";
import { type Doing, fileTask } from "../../../test/shop.js";
import { step } from "../../model/next-step.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import { answer } from "../../plan/answer/answer.js";
import { approve } from "../../plan/node/approve.js";
import { openHandWork } from "../hand-work/end-hand-work.js";

const seen: string[] = [];

const worker =
  (resolved: string): Doing =>
  ({ cwd, task }) => {
    const file = join(cwd, "one.txt");
    if (task.profile === MERGE_MAIN) seen.push(readFileSync(file, "utf8"));
    writeFileSync(file, task.profile === MERGE_MAIN ? resolved : "feature\n");
    return {};
  };

async function conflicting(resolved: string): Promise<{ shop: Finished; task: string }> {
  const shop = await finished([fileTask("one")], { doing: worker(resolved) });
  shop.repository.commit({ "one.txt": "main\n", "other.txt": "other\n" });
  const failure = await shop.refused();
  expect(failure.reason).toBe("merge-conflict");
  const [question] = await shop.plan.store.read((reader) => reader.items("question", { state: "open" }));
  expect(question?.fields).toMatchObject({ kind: "land", recommended: MERGE_MAIN });
  const id = question?.key ?? "";
  expect(failure.next).toEqual([step("show", { reference: id }), step("question.answer", { id, option: MERGE_MAIN })]);
  const before = shop.git("rev-parse", FEATURE);
  const answered = must(await answer(shop.plan, { id: question?.key ?? "", option: MERGE_MAIN }));
  expect(shop.git("rev-parse", FEATURE)).toBe(before);
  const task = answered.next[0]?.input["references"] as string[];
  return { shop, task: task[0] as string };
}

it("a feature that conflicts with main lands after a worker merged main in, behind the checks", async () => {
  const { shop, task } = await conflicting("both\n");
  expect((await shop.plan.view(task)).reason).toBe("unapproved");
  must(await approve(shop.plan, { references: [task] }));
  await shop.workThrough();
  expect(await shop.plan.view(task)).toMatchObject({ status: "done" });
  expect(seen.at(-1)).toMatch(/<<<<<<<[^]*feature[^]*main[^]*>>>>>>>/);
  const main = shop.git("rev-parse", "main");
  expect(shop.git("rev-list", "--parents", "-1", FEATURE).split(" ")[2]).toBe(main);
  await shop.landed();
  isClean(shop);
  expect(shop.git("show", "main:one.txt")).toBe("both");
  expect(shop.git("show", "main:other.txt")).toBe("other");
});

it("conflict markers never get onto the feature's branch", async () => {
  const { shop, task } = await conflicting("<<<<<<< ours\nfeature\n=======\nmain\n>>>>>>> theirs\n");
  const before = shop.git("rev-parse", FEATURE);
  must(await approve(shop.plan, { references: [task] }));
  await shop.workThrough();
  expect((await shop.plan.view(task)).status).not.toBe("done");
  expect(shop.git("rev-parse", FEATURE)).toBe(before);
  expect((await shop.refused()).reason).toBe("tasks-open");
});

it.each(["without committing", "with a commit", "with work of others merged in"])(
  "a conflict that you resolve by hand %s lands",
  async (how) => {
    const { shop, task } = await conflicting("both\n");
    must(await approve(shop.plan, { references: [task] }));
    const hands = openHandWork(shop.services, shop.plan);
    const { worktree } = must(await hands.begin({ reference: task }, never));
    expect(readFileSync(join(worktree, "one.txt"), "utf8")).toMatch(/<<<<<<<[^]*feature[^]*main[^]*>>>>>>>/);
    writeFileSync(join(worktree, "one.txt"), "both\n");
    if (how !== "without committing") gitIn(worktree, "commit", "-qam", "resolve");
    if (how === "with work of others merged in") {
      const tip = shop.git("rev-parse", FEATURE);
      const tree = shop.git("rev-parse", `${FEATURE}^{tree}`);
      shop.git("update-ref", `refs/heads/${FEATURE}`, shop.git("commit-tree", "-p", tip, "-m", "others", tree));
      gitIn(worktree, "merge", "-q", "--no-edit", FEATURE);
    }
    expect(must(await hands.finish({ reference: task }, never))).toMatchObject({ state: "accepted" });
    expect(shop.git("rev-list", "--parents", "-1", FEATURE).split(" ")[2]).toBe(shop.git("rev-parse", "main"));
    await shop.landed();
    isClean(shop);
    expect(shop.git("show", "main:one.txt")).toBe("both");
    expect(shop.git("show", "main:other.txt")).toBe("other");
  },
);
