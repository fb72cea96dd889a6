// A worker without a sandbox beside others, on a real plan in a real repository.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaveAttempt } from "../../test/attempts.js";
import { gitIn } from "../../test/git-repository.js";
import { fileTask, openShop, type Shop } from "../../test/shop.js";
import { watchOutside } from "./sandbox-watch.js";

const FEATURE = "refs/heads/planwright/feature/FEAT-A";
const DAY_MS = 86_400_000;

/** A commit on top of main that says which attempt made it. */
function commitOf(shop: Shop, attempt: string): string {
  const message = `T-one: Make one\n\nPlanwright-Attempt: ${attempt}`;
  return shop.git("commit-tree", "-p", "main", "-m", message, "main^{tree}");
}

describe("beside a worker without a sandbox", () => {
  async function watched(): Promise<{ shop: Shop; worktree: string; found: () => Promise<string[]> }> {
    const shop = await openShop([fileTask("one")]);
    const worktree = join(shop.repository.around, "slot-1");
    shop.git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00007", worktree);
    shop.git("update-ref", FEATURE, "main");
    return { shop, worktree, found: await watchOutside(shop.services, "ATT-00007", worktree) };
  }

  it("others integrate what they proved", async () => {
    const { shop, found } = await watched();
    const merged = commitOf(shop, "ATT-00001");
    expect(await leaveAttempt(shop.plan, "T-one", { state: "accepted", merged })).toBe("ATT-00001");
    shop.git("update-ref", FEATURE, merged);
    expect(await found()).toEqual([]);
  });

  it("others begin features, land them, and keep work", async () => {
    const { shop, found } = await watched();
    shop.git("update-ref", "refs/heads/planwright/feature/FEAT-B", "main");
    shop.git("update-ref", "-d", FEATURE);
    shop.git("update-ref", "refs/planwright/kept/ATT-00001", commitOf(shop, "ATT-00001"));
    expect(await found()).toEqual([]);
  });

  it("kept work goes when its time is over, and not before", async () => {
    const { shop, worktree } = await watched();
    const keep = async (): Promise<() => Promise<string[]>> => {
      shop.git("update-ref", "refs/planwright/kept/ATT-00001", "main");
      return watchOutside(shop.services, "ATT-00007", worktree);
    };
    await leaveAttempt(shop.plan, "T-one", { kept: "refs/planwright/kept/ATT-00001" });
    let found = await keep();
    shop.git("update-ref", "-d", "refs/planwright/kept/ATT-00001");
    expect(await found()).toEqual(["The worker deleted refs/planwright/kept/ATT-00001."]);
    found = await keep();
    shop.plan.pass(31 * DAY_MS);
    shop.git("update-ref", "-d", "refs/planwright/kept/ATT-00001");
    expect(await found()).toEqual([]);
  });

  it.each([
    ["a commit that nobody wrote down", "ATT-00001"],
    ["a commit that says it is its own", "ATT-00007"],
    ["a commit that says nothing", ""],
  ])("a feature's branch does not move to %s", async (_, attempt) => {
    const { shop, found } = await watched();
    await leaveAttempt(shop.plan, "T-one", { state: "accepted", merged: "0".repeat(40) });
    const commit = commitOf(shop, attempt);
    shop.git("update-ref", FEATURE, commit);
    expect(await found()).toEqual([`The worker moved ${FEATURE} to ${commit}.`]);
    // It is said once.
    expect(await found()).toEqual([]);
  });

  it("a feature's branch does not go with work on it that has not landed", async () => {
    const { shop, worktree } = await watched();
    shop.git("update-ref", FEATURE, commitOf(shop, "ATT-00001"));
    const found = await watchOutside(shop.services, "ATT-00007", worktree);
    shop.git("update-ref", "-d", FEATURE);
    expect(await found()).toEqual([`The worker deleted ${FEATURE}.`]);
  });

  it("its own branch and its own commits are its own, and nobody else's", async () => {
    const { worktree, found } = await watched();
    gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "mine");
    expect(await found()).toEqual([]);
    gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "mine too");
    gitIn(worktree, "branch", "-f", "theirs");
    expect(await found()).toEqual([expect.stringMatching(/^The worker moved refs\/heads\/theirs to/)]);
  });
});
