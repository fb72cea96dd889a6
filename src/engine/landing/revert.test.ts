import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FEATURE, finished, LAND } from "../../../test/finished-feature.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask } from "../../../test/shop.js";
import { approve } from "../../plan/node/approve.js";
import { prepareRevert } from "../../verbs/execution/revert.js";
import { undo } from "../../verbs/history/take-back.js";
import { complete } from "../../verbs/task/hand-in.js";
import { landFeature } from "./land.js";

describe("a landed feature", () => {
  it.each(["merge", "squash", "rebase"] as const)(
    "landed by %s is reverted by a task with a check and a landing",
    async (strategy) => {
      const shop = await finished([fileTask("one"), fileTask("two")]);
      await shop.landed({ strategy });
      shop.repository.commit({ "later.txt": "later\n" });
      const reverted = must(await prepareRevert(shop.plan, "FEAT-A"));
      expect(reverted).toMatchObject({ feature: "REVERT-FEAT-A", files: ["one.txt", "two.txt"], conflicts: [] });
      expect(shop.git("status", "--porcelain")).toBe("");
      must(await approve(shop.plan, { references: ["REVERT-FEAT-A"] }));
      await shop.workThrough();
      expect((await shop.plan.view(reverted.task)).status).toBe("done");
      must(await landFeature(shop.person, "REVERT-FEAT-A"));
      const files = shop.git("ls-tree", "--name-only", "main").split("\n");
      expect(files).toEqual([".gitignore", "README.md", "later.txt"]);
      expect(existsSync(join(shop.repository.path, "one.txt"))).toBe(false);
    },
  );

  it.each([
    ["a squash", ["merge", "-q", "--squash", FEATURE]],
    ["a merge", ["merge", "-q", "--no-ff", "-m", "by hand", FEATURE]],
    ["a fast-forward", ["merge", "-q", "--ff-only", FEATURE]],
  ])("made elsewhere by %s can be reverted", async (how, merge) => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    if (how !== "a fast-forward") shop.repository.commit({ "earlier.txt": "earlier\n" });
    shop.git(...merge);
    if (how === "a squash") shop.git("commit", "-q", "-m", "Files (#7)");
    // A person may prove it as well as the program.
    if (how === "a merge") must(await complete(shop.plan, { reference: LAND }));
    else await shop.landed();
    shop.repository.commit({ "later.txt": "later\n" });
    const reverted = must(await prepareRevert(shop.plan, "FEAT-A"));
    expect(reverted).toMatchObject({ files: ["one.txt", "two.txt"], conflicts: [] });
    must(await approve(shop.plan, { references: ["REVERT-FEAT-A"] }));
    await shop.workThrough();
    must(await landFeature(shop.person, "REVERT-FEAT-A"));
    const files = shop.git("ls-tree", "--name-only", "main").split("\n");
    expect(files.filter((name) => /one|two|er[.]txt/.test(name))).toEqual(
      how === "a fast-forward" ? ["later.txt"] : ["earlier.txt", "later.txt"],
    );
  });

  it("made elsewhere is never reverted in part, in whatever order its tasks were written", async () => {
    const shop = await finished([fileTask("one", { dependsOn: ["T-two"] }), fileTask("two")]);
    shop.git("merge", "-q", "--ff-only", FEATURE);
    shop.git("branch", "-q", "-D", FEATURE);
    must(await complete(shop.plan, { reference: LAND }));
    const reverted = must(await prepareRevert(shop.plan, "FEAT-A"));
    expect(reverted).toMatchObject({ files: ["one.txt", "two.txt"], conflicts: [] });
  });

  it("is never reverted by a command that cannot apply: conflicts are named and done by hand", async () => {
    const shop = await finished([fileTask("one")]);
    await shop.landed();
    shop.repository.commit({ "one.txt": "changed since\n" });
    const reverted = must(await prepareRevert(shop.plan, "FEAT-A"));
    expect(reverted.conflicts).toEqual(["one.txt"]);
    const view = await shop.plan.view(reverted.task);
    expect(view.body).not.toContain("sh run");
    expect(view.body).toContain("one.txt");
    expect(must(await prepareRevert(shop.plan, "FEAT-A")).feature).toBe("REVERT-FEAT-A-2");
  });

  it("whose landing was undone is offered to be reverted, because its code is still there", async () => {
    const shop = await finished([fileTask("one")]);
    const { op } = await shop.landed();
    const undone = must(await undo(shop.plan, String(op)));
    expect(undone.stillLanded).toBe("FEAT-A");
    expect(must(await prepareRevert(shop.plan, "FEAT-A")).reverts).toBe("FEAT-A");
  });

  it("that did not land, or is not on main any more, is refused with nothing added", async () => {
    const shop = await finished([fileTask("one")]);
    expect(mustFail(await prepareRevert(shop.plan, "FEAT-A")).reason).toBe("not-landed");
    expect(shop.git("rev-parse", "--verify", FEATURE)).not.toBe("");
    const { from } = await shop.landed();
    shop.git("reset", "-q", "--hard", from as string);
    expect(mustFail(await prepareRevert(shop.plan, "FEAT-A")).reason).toBe("not-on-main");
  });
});
