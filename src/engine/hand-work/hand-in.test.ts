import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, handingIn, openShop, type Shop } from "../../../test/shop.js";
import type { Actor } from "../../model/actor.js";
import type { Result } from "../../model/result.js";
import type { Assignment } from "../../plan/claim/assignment.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { undo } from "../../verbs/history/take-back.js";
import { stats } from "../../verbs/insight/stats.js";
import { whyItem } from "../../verbs/look/why.js";
import { why } from "../../verbs/look/why-node.js";
import { move } from "../../verbs/node/move.js";
import { checkTask, complete } from "../../verbs/task/hand-in.js";
import { next } from "../../verbs/task/next.js";
import type { EngineServices } from "../services.js";
import { beginByHand } from "./begin-hand-work.js";
import type { Completion } from "./hand-in.js";

const FEATURE = "planwright/feature/FEAT-A";
const { signal } = new AbortController();
const AGENT = "agent:coder";

const claim = async (shop: Shop, by: Actor = AGENT): Promise<Assignment> =>
  must(await next(shop.plan.as(by), {}))[0] as Assignment;

function handIn(
  shop: Shop,
  { task, token }: Assignment,
  said: { by?: Actor; created?: string[]; include?: string[]; cwd?: string; tokens?: number; cost?: number } = {},
): Promise<Result<Completion>> {
  const { by = AGENT, cwd = shop.plan.cwd, ...rest } = said;
  const context = { ...shop.plan.as(by), cwd };
  const input = { reference: task.id, token, ...rest };
  const services = { ...shop.services, context };
  return complete(handingIn(services), input);
}

const write = (shop: Shop, name: string, text = `${name}\n`): void =>
  writeFileSync(join(shop.repository.path, name), text);

const filesOf = (shop: Shop, commit: string): string[] =>
  shop.git("show", "--format=", "--name-only", commit).split("\n");

describe("complete in your own checkout", () => {
  it("puts exactly the change on the feature's branch, and leaves branch, index and files alone", async () => {
    const shop = await openShop([fileTask("one")]);
    write(shop, "notes.txt", "mine, from before\n");
    write(shop, "README.md", "hello, edited before\n");
    shop.git("add", "README.md");
    const claimed = await claim(shop);
    write(shop, "one.txt");
    const [head, status] = [shop.git("rev-parse", "HEAD"), shop.git("status", "--porcelain")];
    const done = must(await handIn(shop, claimed));
    expect(done).toMatchObject({ acceptance: "accepted", leftAlone: ["README.md", "notes.txt"] });
    expect(shop.git("rev-parse", FEATURE)).toBe(done.commit);
    expect(filesOf(shop, FEATURE)).toEqual(["one.txt"]);
    expect(shop.git("rev-parse", "HEAD")).toBe(head);
    expect(shop.git("status", "--porcelain")).toBe(status);
    expect((await shop.plan.view("T-one")).report?.commit).toBe(done.commit);
  });

  it("keeps what the worker says it used in the attempt, which budgets count", async () => {
    const shop = await openShop([fileTask("one")]);
    const claimed = await claim(shop);
    write(shop, "other.txt");
    expect(must(await handIn(shop, claimed, { tokens: 1_000 })).acceptance).toBe("open");
    write(shop, "one.txt");
    must(await handIn(shop, claimed, { tokens: 1_500, cost: 0.2 }));
    const used = { calls: 1, tokens: 1_500, costUsd: 0.2 };
    expect((await shop.attempts()).map(({ usage }) => usage)).toEqual([
      { inputTokens: 1_500, outputTokens: 0, costUsd: 0.2 },
    ]);
    const { spending } = must(await stats(shop.plan));
    expect([spending.total, spending.features]).toEqual([used, [{ of: "FEAT-A", ...used }]]);
  });

  it("takes committed changes, too", async () => {
    const shop = await openShop([fileTask("one")]);
    const claimed = await claim(shop);
    shop.repository.commit({ "one.txt": "one\n" });
    write(shop, "two.txt");
    must(await handIn(shop, claimed));
    expect(filesOf(shop, FEATURE)).toEqual(["one.txt", "two.txt"]);
  });

  it("does not count what others landed meanwhile", async () => {
    const shop = await openShop([fileTask("one")]);
    const claimed = await claim(shop);
    write(shop, "one.txt");
    shop.git("commit", "-q", "--allow-empty", "-m", "mine");
    shop.git("checkout", "-q", "-b", "theirs", "HEAD~1");
    writeFileSync(join(shop.repository.path, "theirs.txt"), "x\n");
    shop.git("add", "theirs.txt");
    shop.git("commit", "-q", "-m", "theirs");
    shop.git("checkout", "-q", "main");
    shop.git("merge", "-q", "--no-ff", "-m", "Land FEAT-B\n\nPlanwright-Feature: FEAT-B", "theirs");
    must(await handIn(shop, claimed));
    expect(filesOf(shop, FEATURE)).toEqual(["one.txt"]);
  });

  it("takes only the change in the folder where the feature's branch is checked out, as next suggests", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two", { dependsOn: ["T-one"] })]);
    const first = await claim(shop);
    write(shop, "one.txt");
    must(await handIn(shop, first));
    rmSync(join(shop.repository.path, "one.txt"));
    const second = await claim(shop);
    const cwd = join(shop.repository.around, "feature");
    shop.git("worktree", "add", "-q", cwd, FEATURE);
    writeFileSync(join(cwd, "two.txt"), "two\n");
    const done = must(await handIn(shop, second, { cwd }));
    expect(done).toMatchObject({
      acceptance: "accepted",
      changes: { created: ["two.txt"], modified: [], deleted: [] },
    });
    expect(filesOf(shop, FEATURE)).toEqual(["two.txt"]);
  });

  it("cannot be done without a change: it waits for a person", async () => {
    const shop = await openShop([fileTask("one", { checks: [{ run: "true" }] })]);
    const done = must(await handIn(shop, await claim(shop)));
    expect(done).toMatchObject({ acceptance: "pending", commit: null });
    expect((await shop.plan.view("T-one")).acceptance?.reason).toContain("nothing was changed");
  });

  it("cannot be done with files that are only claimed to exist", async () => {
    const shop = await openShop([fileTask("one", { checks: [{ run: "true" }] })]);
    const claimed = await claim(shop);
    write(shop, "one.txt");
    expect(mustFail(await handIn(shop, claimed, { created: ["src/a.js"] }))).toMatchObject({
      reason: "not-changed",
      details: { files: ["src/a.js"] },
    });
    expect((await shop.plan.view("T-one")).status).toBe("in_progress");
    expect(must(await handIn(shop, claimed, { created: ["one.txt"] })).acceptance).toBe("accepted");
  });

  it("cannot pass its checks in a folder elsewhere", async () => {
    const shop = await openShop([fileTask("one")]);
    const claimed = await claim(shop);
    const elsewhere = shop.repository.around;
    writeFileSync(join(elsewhere, "one.txt"), "one\n");
    const done = must(await handIn(shop, claimed, { cwd: elsewhere }));
    expect(done).toMatchObject({ acceptance: "open" });
    expect(done.checks[0]).toMatchObject({ passed: false, outcome: "exit 1, expected exit 0" });
  });

  it("cannot pass because of an ignored file", async () => {
    const shop = await openShop([fileTask("one")], { files: { ".gitignore": ".planwright\none.txt\n" } });
    const claimed = await claim(shop);
    write(shop, "one.txt");
    write(shop, "other.txt");
    expect(must(await handIn(shop, claimed)).acceptance).toBe("open");
  });

  it("gives the claim back to a worker that lost its token after a failed hand-in, which goes on", async () => {
    const shop = await openShop([fileTask("one")]);
    const claimed = await claim(shop);
    write(shop, "other.txt");
    expect(must(await handIn(shop, claimed)).acceptance).toBe("open");
    const again = must(await start(shop.plan.as(AGENT), { reference: "T-one" }));
    write(shop, "one.txt");
    expect(mustFail(await handIn(shop, claimed)).reason).toBe("lease-lost");
    expect(must(await handIn(shop, again))).toMatchObject({ acceptance: "accepted", attempt: "ATT-00001" });
    expect(await shop.attempts()).toHaveLength(1);
  });

  it("keeps the claim while a check fails, as often as it may be fixed, and then asks a person", async () => {
    const shop = await openShop([fileTask("one")]);
    const claimed = await claim(shop);
    write(shop, "other.txt");
    expect(must(await handIn(shop, claimed))).toMatchObject({ acceptance: "open", fixesLeft: 0 });
    expect((await shop.plan.view("T-one")).claim?.by).toBe(AGENT);
    expect(must(await handIn(shop, claimed))).toMatchObject({ acceptance: "rejected" });
    expect(await shop.plan.view("T-one")).toMatchObject({ status: "rejected", claim: null });
    const questions = await shop.plan.store.read((reader) => reader.items("question", { owner: "T-one" }));
    expect(questions.map(({ fields }) => fields.kind)).toEqual(["rejected"]);
  });

  it("does not take over a task that is worked on in a worktree", async () => {
    const shop = await openShop([fileTask("one")]);
    const person: EngineServices = { ...shop.services, context: shop.plan };
    const { worktree } = must(await beginByHand(person, { reference: "T-one" }, signal));
    const failure = mustFail(await complete(handingIn(person), { reference: "T-one" }));
    expect(failure).toMatchObject({ reason: "in-worktree", next: [{ operation: "work.done" }] });
    expect((await shop.attempts())[0]).toMatchObject({ state: "working", worktree });
  });

  it("is accepted after a fix", async () => {
    const shop = await openShop([fileTask("one")]);
    const claimed = await claim(shop);
    write(shop, "other.txt");
    must(await handIn(shop, claimed));
    rmSync(join(shop.repository.path, "other.txt"));
    write(shop, "one.txt");
    expect(must(await handIn(shop, claimed)).acceptance).toBe("accepted");
    expect(filesOf(shop, FEATURE)).toEqual(["one.txt"]);
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted"]);
  });

  it("names conflicts with the feature's branch, and takes what was merged by hand", async () => {
    const both = { checks: [{ run: "true" }], files: [] };
    const shop = await openShop([fileTask("one", both), fileTask("two", both)]);
    write(shop, "private.txt", "mine\n");
    const [first, second] = must(await next(shop.plan.as(AGENT), { count: 2 })) as [Assignment, Assignment];
    const notes = await shop.plan.store.read((reader) => reader.items("claim", {}));
    expect(notes).toHaveLength(2);
    write(shop, "a.txt", "first\n");
    must(await handIn(shop, first));
    shop.git("checkout", "-q", "-b", "mine");
    write(shop, "a.txt", "second\n");
    const open = must(await handIn(shop, second));
    // What was there before the claim is no way out of a conflict, so it is not offered.
    expect(open).toMatchObject({ acceptance: "open", leftAlone: ["private.txt"], begunBefore: [] });
    expect(open.note).toContain(`a.txt. Merge that branch into your checkout (git merge ${FEATURE})`);
    shop.git("add", "a.txt");
    shop.git("commit", "-q", "-m", "mine");
    expect(() => shop.git("merge", "-q", FEATURE)).toThrow("git merge");
    write(shop, "a.txt", "both\n");
    shop.git("add", "a.txt");
    shop.git("commit", "-q", "-m", "merged");
    expect(must(await handIn(shop, second)).acceptance).toBe("accepted");
    expect(shop.git("show", `${FEATURE}:a.txt`)).toBe("both");
    expect(shop.git("log", "--format=%s", FEATURE).split("\n")).toEqual([
      "T-two: Make two",
      "T-one: Make one",
      "begin",
    ]);
  });
});

describe("two claims in one checkout", () => {
  it("are told of each other, and neither hands in what is the other's", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")]);
    const first = await claim(shop, "agent:left");
    expect(first.handIn).not.toContain("worked on in this checkout");
    const second = await claim(shop, "agent:right");
    expect(second.handIn).toContain(`${first.task.id} is worked on in this checkout, too`);
    for (const name of ["one.txt", "two.txt", "shared.txt"]) write(shop, name);
    const done = must(await handIn(shop, first, { by: "agent:left" }));
    expect(done).toMatchObject({ acceptance: "accepted", leftAlone: ["shared.txt", "two.txt"] });
    expect(filesOf(shop, done.commit as string)).toEqual(["one.txt"]);
    expect(must(await handIn(shop, second, { by: "agent:right" })).acceptance).toBe("accepted");
    expect(filesOf(shop, FEATURE)).toContain("two.txt");
  });

  it("hands in a file of another claim only if the worker includes it", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")]);
    const first = await claim(shop, "agent:left");
    await claim(shop, "agent:right");
    for (const name of ["one.txt", "two.txt"]) write(shop, name);
    const done = must(await handIn(shop, first, { by: "agent:left", include: ["two.txt"] }));
    expect(done.leftAlone).toEqual([]);
  });
});

describe("a file that was changed before the claim", () => {
  it("is named with the claim, left alone, and taken when the worker includes it", async () => {
    const shop = await openShop([fileTask("one")]);
    write(shop, "one.txt", "begun\n");
    write(shop, "notes.txt", "mine\n");
    const claimed = await claim(shop);
    expect(claimed).toMatchObject({
      begunBefore: ["one.txt"],
      handIn: expect.stringContaining("one.txt had changes before: include it") as string,
    });
    expect(must(await handIn(shop, claimed))).toMatchObject({
      acceptance: "open",
      checks: [{ passed: false }],
      begunBefore: ["one.txt"],
      leftAlone: ["notes.txt", "one.txt"],
    });
    const done = must(await handIn(shop, claimed, { include: ["one.txt"] }));
    expect(done).toMatchObject({ acceptance: "accepted", leftAlone: ["notes.txt"], begunBefore: [] });
    expect(shop.git("show", `${FEATURE}:one.txt`)).toBe("begun");
    expect(filesOf(shop, FEATURE)).toEqual(["one.txt"]);
  });

  it("and changed again afterwards is not called the work of others", async () => {
    const shop = await openShop([fileTask("one")]);
    write(shop, "one.txt", "begun\n");
    const claimed = await claim(shop);
    write(shop, "one.txt", "begun\ndone\n");
    const open = must(await handIn(shop, claimed));
    expect(open).toMatchObject({ acceptance: "open", begunBefore: ["one.txt"] });
    expect(open.note).toContain("You changed one.txt before you claimed the task and did not commit that");
    expect(open.note).not.toContain("Others");
    expect(must(await handIn(shop, claimed, { include: ["one.txt"] })).acceptance).toBe("accepted");
    expect(shop.git("show", `${FEATURE}:one.txt`)).toBe("begun\ndone");
  });

  it("and is tracked is taken whole when it is included", async () => {
    const shop = await openShop([
      fileTask("one", { files: ["README.md"], checks: [{ run: "grep -q both README.md" }] }),
    ]);
    write(shop, "README.md", "hello\nboth\n");
    const claimed = await claim(shop);
    expect(must(await handIn(shop, claimed, { include: ["README.md"] })).acceptance).toBe("accepted");
    expect(shop.git("show", `${FEATURE}:README.md`)).toBe("hello\nboth");
  });
});

it("says after an undo that the commit stays on the branch, and what a second hand-in is compared with", async () => {
  const shop = await openShop([fileTask("one")]);
  write(shop, "one.txt");
  const first = await claim(shop);
  const done = must(await handIn(shop, first, { include: ["one.txt"] }));
  const commit = done.commit ?? "";
  expect(must(await undo(shop.plan, "T-one")).stillOnBranch).toEqual({ task: "T-one", commit });
  const again = must(await handIn(shop, await claim(shop)));
  expect(again.acceptance).toBe("pending");
  const words = `its earlier commit ${commit.slice(0, 10)} (ATT-00001) is still on ${FEATURE}`;
  expect(again.note).toContain(words);
  const told = must(await why(shop.plan, "T-one")).chain[0]?.sentences.join(" ");
  expect(told).toContain(words);
  expect(told).not.toContain("no check proves it");
});

it("counts the earlier commit again when a person hands it in unchanged after an undo", async () => {
  const shop = await openShop([fileTask("one")]);
  const first = await claim(shop, shop.plan.actor);
  write(shop, "one.txt");
  const { commit } = must(await handIn(shop, first, { by: shop.plan.actor }));
  must(await undo(shop.plan));
  const again = must(await handIn(shop, await claim(shop, shop.plan.actor), { by: shop.plan.actor }));
  expect(again).toMatchObject({ acceptance: "accepted", commit });
  expect(must(await whyItem(shop.plan, "ATT-1")).sentences[0]).toMatch(
    /^ATT-00001 of T-one by .* is accepted: its checks passed/,
  );
  expect((await shop.plan.view("T-one")).report).toMatchObject({ commit, checks: [{ passed: true }] });
  expect(shop.git("for-each-ref", "refs/heads/planwright/attempt")).toBe("");
});

it("undoes plainly past claims that have ended with their attempts, and says what leads back from the rest", async () => {
  const shop = await openShop([fileTask("one"), fileTask("two")]);
  for (const name of ["one.txt", "two.txt"]) {
    const claimed = await claim(shop);
    write(shop, name);
    must(await handIn(shop, claimed));
  }
  for (const id of ["T-two", "T-one"])
    expect(must(await undo(shop.plan, id))).toMatchObject({ verb: "complete", skipped: [] });
  const own = mustFail(await undo(shop.plan));
  expect([own.reason, own.message]).toEqual([
    "later-changes",
    expect.stringContaining("Withdraw the approval instead."),
  ]);
  const wall = mustFail(await undo(shop.plan, "T-one"));
  expect(wall.message).toMatch(/^Operation \d+ \(.*approved .*\) cannot be undone: .* Withdraw the approval instead\./);
  expect(wall.next?.[0]).toMatchObject({ operation: "unapprove" });
});

it("cannot be handed in or checked while its repository is hidden, with or without checks", async () => {
  const shop = await openShop([fileTask("one"), fileTask("two", { checks: [] })]);
  for (const claimed of [await claim(shop), await claim(shop)]) {
    const { task, token } = claimed;
    write(shop, `${task.id.slice(2)}.txt`);
    const hidden = { ...shop.plan.as(AGENT), head: () => null };
    for (const hand of [complete, checkTask]) {
      const { reason, message } = mustFail(await hand(hidden, { reference: task.id, token }));
      expect([reason, message]).toEqual(["repository-gone", expect.stringContaining(`${task.id} was claimed at`)]);
    }
    expect((await shop.plan.view(task.id)).status).toBe("in_progress");
    must(await handIn(shop, claimed));
  }
});

it("check runs the checks on what would be handed in, and hands nothing in", async () => {
  const shop = await openShop([fileTask("one")]);
  const claimed = await claim(shop);
  const context = shop.plan.as(AGENT);
  const input = { reference: "T-one", token: claimed.token };
  const services = { ...shop.services, context };
  const check = (): Promise<Result<Completion>> => checkTask(handingIn(services), input);
  write(shop, "other.txt");
  for (let time = 0; time < 3; time++) expect(must(await check()).checks[0]).toMatchObject({ passed: false });
  write(shop, "one.txt");
  expect(must(await check())).toMatchObject({ note: "", checks: [{ passed: true }] });
  expect((await shop.plan.view("T-one")).status).toBe("in_progress");
  expect(shop.git("log", "--format=%s", FEATURE)).toBe("begin");
  expect(must(await handIn(shop, claimed)).acceptance).toBe("accepted");
});

it("a task in no feature is claimed and refused with the same words, and is done once it is in one", async () => {
  const shop = await openShop([fileTask("one", { parent: "MISSION" }), fileTask("two")]);
  must(await approve(shop.plan, { references: ["T-one"] }));
  const claimed = must(await start(shop.plan.as(AGENT), { reference: "T-one" }));
  const words = "T-one is in no feature, so there is no branch for its work. Move it into a feature.";
  expect(claimed).toMatchObject({ directory: shop.repository.path, handIn: expect.stringContaining(words) });
  write(shop, "one.txt");
  for (const hand of [complete, checkTask]) {
    const session = handingIn({ ...shop.services, context: shop.plan.as(AGENT) });
    expect(mustFail(await hand(session, { reference: "T-one", token: claimed.token }))).toMatchObject({
      reason: "no-feature",
      message: words,
      next: [{ operation: "move", input: { references: ["T-one"] } }],
    });
  }
  must(await move(shop.plan, { references: ["T-one"], to: "FEAT-A" }));
  must(await approve(shop.plan, { references: ["T-one"] }));
  expect(must(await handIn(shop, claimed)).acceptance).toBe("accepted");
  expect(filesOf(shop, FEATURE)).toEqual(["one.txt"]);
});
