import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn } from "../../../test/git-repository.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, handingIn, openShop, type Shop } from "../../../test/shop.js";
import type { Actor } from "../../model/actor.js";
import type { Result } from "../../model/result.js";
import type { Assignment } from "../../plan/claim/assignment.js";
import { complete } from "../../verbs/task/hand-in.js";
import { next } from "../../verbs/task/next.js";
import type { Completion } from "./hand-in.js";

const FEATURE = "planwright/feature/FEAT-A";
const [LEFT, RIGHT]: readonly [Actor, Actor] = ["agent:left", "agent:right"];

const anyFiles = { files: [], checks: [{ run: "true" }] };

const claim = async (shop: Shop, by: Actor = LEFT): Promise<Assignment> =>
  must(await next(shop.plan.as(by), {}))[0] as Assignment;

function handIn(
  shop: Shop,
  { task, token }: Assignment,
  { by = LEFT, ...said }: { by?: Actor; include?: string[]; only?: string[] } = {},
): Promise<Result<Completion>> {
  const services = { ...shop.services, context: shop.plan.as(by) };
  return complete(handingIn(services), { reference: task.id, token, ...said });
}

const write = (shop: Shop, ...names: string[]): void => {
  for (const name of names) writeFileSync(join(shop.repository.path, name), `${name}\n`);
};

const commitFile = (shop: Shop, name: string): void => {
  write(shop, name);
  shop.git("add", name);
  shop.git("commit", "-q", "-m", `add ${name}`);
};

/** In a worktree of somebody else. */
function commitOnMain(shop: Shop, name: string): void {
  const folder = join(shop.repository.around, "theirs");
  shop.git("worktree", "add", "-q", folder, "main");
  writeFileSync(join(folder, name), `${name}\n`);
  gitIn(folder, "add", name);
  gitIn(folder, "commit", "-q", "-m", `add ${name}`);
}

const taken = (shop: Shop): string[] => shop.git("show", "--format=", "--name-only", FEATURE).split("\n");

describe("two conversations in one checkout", () => {
  it("a task with files takes nothing else, and takes more when its worker includes it", async () => {
    for (const include of [[], ["notes.txt"]]) {
      const shop = await openShop([fileTask("one"), fileTask("two", anyFiles)]);
      const first = await claim(shop);
      await claim(shop, RIGHT);
      write(shop, "one.txt", "theirs.txt", "notes.txt");
      const done = must(await handIn(shop, first, { include }));
      expect(taken(shop)).toEqual([...include, "one.txt"]);
      expect(done.leftAlone).toContain("theirs.txt");
    }
  });

  it("never sweep each other's files in: without files of their own they have to name them", async () => {
    const shop = await openShop([fileTask("one", anyFiles), fileTask("two", anyFiles)]);
    const [first, second] = [await claim(shop), await claim(shop, RIGHT)];
    write(shop, "a.txt", "b.txt");
    const refusal = mustFail(await handIn(shop, first));
    expect(refusal).toMatchObject({ reason: "unclear-files", details: { files: ["a.txt", "b.txt"] } });
    expect(refusal.message).toContain("T-two is worked on in this checkout, too");
    expect(refusal.next).toMatchObject([{ operation: "complete", needs: ["only"] }]);
    expect(must(await handIn(shop, first, { only: ["a.txt"] }))).toMatchObject({
      acceptance: "accepted",
      leftAlone: ["b.txt"],
    });
    expect(taken(shop)).toEqual(["a.txt"]);
    // Nobody else works here any more, and a.txt has not changed since.
    rmSync(join(shop.repository.path, "a.txt"));
    must(await handIn(shop, second, { by: RIGHT, only: ["b.txt"] }));
    expect(taken(shop)).toEqual(["b.txt"]);
  });

  it("a task without files leaves those alone that were there before its claim", async () => {
    const shop = await openShop([fileTask("one", anyFiles)]);
    write(shop, "notes.txt");
    const first = await claim(shop);
    write(shop, "a.txt");
    must(await handIn(shop, first));
    expect(taken(shop)).toEqual(["a.txt"]);
  });

  it("only takes exactly the named files, changed before the claim or after it", async () => {
    const shop = await openShop([fileTask("one", anyFiles)]);
    write(shop, "a.txt");
    const first = await claim(shop);
    write(shop, "b.txt", "notes.txt");
    expect(mustFail(await handIn(shop, first, { only: ["a.txt", "c.txt"] })).message).toContain("You named c.txt");
    must(await handIn(shop, first, { only: ["a.txt", "b.txt"] }));
    expect(taken(shop)).toEqual(["a.txt", "b.txt"]);
  });
});

describe("a commit that came into the checkout after the claim", () => {
  it("made on main is not taken without a word: the worker says whose it is", async () => {
    const ways: [{ only?: string[]; include?: string[] }, string[]][] = [
      [{ only: ["a.txt"] }, ["a.txt"]],
      [{ include: ["pulled.txt"] }, ["a.txt", "pulled.txt"]],
    ];
    for (const [said, files] of ways) {
      const shop = await openShop([fileTask("one", anyFiles)]);
      const first = await claim(shop);
      commitFile(shop, "pulled.txt");
      write(shop, "a.txt");
      const refusal = mustFail(await handIn(shop, first));
      expect(refusal).toMatchObject({ reason: "unclear-commits", details: { files: ["pulled.txt"] } });
      expect(refusal.message).toMatch(/A commit came into this checkout .* [0-9a-f]{10} \(add pulled\.txt\)/);
      must(await handIn(shop, first, said));
      expect(taken(shop)).toEqual(files);
    }
  });

  it("is left out if the task names its files and it has none of them, and named", async () => {
    const shop = await openShop([fileTask("one")]);
    const first = await claim(shop);
    commitFile(shop, "pulled.txt");
    write(shop, "one.txt");
    const done = must(await handIn(shop, first));
    expect(done).toMatchObject({ acceptance: "accepted", leftAlone: ["pulled.txt"] });
    expect(taken(shop)).toEqual(["one.txt"]);
  });

  it("is left out if another branch had it before the claim", async () => {
    const shop = await openShop([fileTask("one", anyFiles)]);
    shop.git("checkout", "-q", "-b", "other");
    commitFile(shop, "other.txt");
    shop.git("checkout", "-q", "main");
    const first = await claim(shop);
    shop.git("checkout", "-q", "other");
    write(shop, "a.txt");
    must(await handIn(shop, first));
    expect(taken(shop)).toEqual(["a.txt"]);
  });

  it("is not clear if it replaces one that was there before", async () => {
    const shop = await openShop([fileTask("one", anyFiles)]);
    commitFile(shop, "before.txt");
    const first = await claim(shop);
    write(shop, "a.txt");
    shop.git("add", "a.txt");
    shop.git("commit", "-q", "--amend", "-m", "amended");
    expect(mustFail(await handIn(shop, first)).reason).toBe("unclear-commits");
    must(await handIn(shop, first, { only: ["a.txt"] }));
    expect(taken(shop)).toEqual(["a.txt"]);
  });

  it("is left out if main was reset and brought forward elsewhere", async () => {
    const shop = await openShop([fileTask("one", anyFiles)]);
    commitFile(shop, "wrong.txt");
    const first = await claim(shop);
    shop.git("reset", "-q", "--hard", "HEAD~1");
    write(shop, "a.txt");
    const done = must(await handIn(shop, first));
    expect(done.changes).toMatchObject({ created: ["a.txt"], modified: [] });
  });

  it("is taken on a branch of the worker's own, also after a rebase, without what it merged", async () => {
    const shop = await openShop([fileTask("one", anyFiles)]);
    shop.git("checkout", "-q", "-b", "mine");
    commitFile(shop, "earlier.txt");
    const first = await claim(shop);
    commitFile(shop, "a.txt");
    commitOnMain(shop, "main.txt");
    shop.git("rebase", "-q", "main");
    commitFile(shop, "b.txt");
    must(await handIn(shop, first));
    expect(taken(shop)).toEqual(["a.txt", "b.txt"]);
  });

  it("is left out if git merged it from main", async () => {
    const shop = await openShop([fileTask("one", anyFiles)]);
    const first = await claim(shop);
    shop.git("checkout", "-q", "-b", "mine");
    commitFile(shop, "a.txt");
    commitOnMain(shop, "main.txt");
    shop.git("merge", "-q", "--no-edit", "main");
    must(await handIn(shop, first));
    expect(taken(shop)).toEqual(["a.txt"]);
  });
});
