import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FEATURE, type Finished, finished, isClean, LAND } from "../../../test/finished-feature.js";
import { gitIn, write } from "../../../test/git-repository.js";
import { addAll, must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { accept } from "../../plan/claim/settle-tasks.js";
import { approve } from "../../plan/node/approve.js";
import { undo } from "../../verbs/history/take-back.js";
import { status } from "../../verbs/look/read-status.js";
import { addRecord } from "../../verbs/record/add.js";
import { approveRecords } from "../../verbs/record/approve.js";
import type { EngineServices } from "../services.js";

import { landFeature } from "./land.js";

it("an open bug does not keep the fix of another bug from landing", async () => {
  const fixed = fileTask("fixed", { parent: "BUGS" });
  const open = fileTask("open", { parent: "BUGS", checks: [{ run: "false" }] });
  const bugs = { id: "BUGS", tier: "initiative", title: "Bugs", parent: "MISSION" } as const;
  const shop = await openShop([bugs, fixed, open]);
  must(await approve(shop.plan, { references: ["BUGS"] }));
  await shop.workThrough();
  expect([(await shop.plan.view("T-fixed")).status, (await shop.plan.view("T-open")).status]).toEqual([
    "done",
    "rejected",
  ]);
  const person: EngineServices = { ...shop.services, context: shop.plan };
  const landing = must(await landFeature(person, "FEAT-001"));
  expect(landing).toMatchObject({ outcome: "landed", tasks: ["T-fixed"] });
  expect((await shop.plan.view("FEAT-001")).status).toBe("done");
});

describe("a finished feature", () => {
  it("lands as one merge commit; its branch and worktrees go, main and its checkout move", async () => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    const from = shop.git("rev-parse", "main");
    const tip = shop.git("rev-parse", FEATURE);
    const landing = await shop.landed();
    const commit = shop.git("rev-parse", "main");
    expect(landing).toMatchObject({ outcome: "landed", branch: "main", from, commit, tasks: ["T-one", "T-two"] });
    expect(landing.checks.map(({ run, passed }) => [run, passed])).toEqual([
      ["test -f one.txt", true],
      ["test -f two.txt", true],
    ]);
    expect(shop.git("rev-list", "--parents", "-1", "main")).toBe(`${commit} ${from} ${tip}`);
    expect(shop.git("rev-list", "--count", "--first-parent", `${from}..main`)).toBe("1");
    expect(shop.git("log", "-1", "--format=%s%n%(trailers:only,unfold)", "main").trim().split("\n")).toEqual([
      "Land FEAT-A: Feature A",
      "Planwright-Feature: FEAT-A",
      `Planwright-Task: ${LAND}`,
      `Planwright-Branch: ${FEATURE}`,
      "Planwright-Proof: T-one unknown",
      "Planwright-Proof: T-two unknown",
    ]);
    isClean(shop);
    expect(readFileSync(join(shop.repository.path, "two.txt"), "utf8")).toBe("two\n");
    expect(shop.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    const view = await shop.plan.view(LAND);
    expect([view.status, view.report?.commit, view.acceptance?.by]).toEqual(["done", commit, "human:ada"]);
    expect((await shop.plan.view("FEAT-A")).status).toBe("done");
    expect((await shop.attempts()).at(-1)).toMatchObject({ taskId: LAND, state: "accepted", merged: commit });
    expect((await shop.plan.store.verify()).differences).toEqual([]);
    expect((await shop.refused()).reason).toBe("nothing-to-land");
  });

  it("is not shown as done before it has landed", async () => {
    const shop = await finished([fileTask("one")]);
    expect((await shop.plan.view("T-one")).status).toBe("done");
    expect((await shop.plan.view("FEAT-A")).status).not.toBe("done");
    expect(JSON.stringify(must(await status(shop.plan, {})))).toContain(LAND);
    await shop.landed();
    expect((await shop.plan.view("FEAT-A")).status).toBe("done");
  });

  it("lands on main as it is now, with what others landed since", async () => {
    const shop = await finished([
      fileTask("one", { checks: [{ run: "test -f one.txt && test -f other.txt || test ! -f other.txt" }] }),
    ]);
    shop.repository.commit({ "other.txt": "other\n" });
    await shop.landed();
    expect(shop.git("ls-tree", "--name-only", "main").split("\n")).toContain("other.txt");
    isClean(shop);
  });

  it("shows its proof in a dry run, and changes nothing", async () => {
    const shop = await finished([fileTask("one")]);
    const before = shop.everything();
    const operations = (await shop.plan.store.read((reader) => reader.operations({ limit: 1000 }))).length;
    const landing = await shop.landed({ dryRun: true });
    expect(landing).toMatchObject({ outcome: "would-land", branch: "main", op: null, attempt: null });
    expect(landing.checks).toMatchObject([{ run: "test -f one.txt", passed: true }]);
    expect(shop.everything()).toEqual(before);
    expect((await shop.plan.store.read((reader) => reader.operations({ limit: 1000 }))).length).toBe(operations);
  });

  it("lands where main is not checked out", async () => {
    const shop = await finished([fileTask("one")]);
    shop.git("checkout", "-q", "-b", "elsewhere");
    const landing = await shop.landed();
    expect(landing.checkout).toBeNull();
    expect(shop.git("rev-parse", "main")).toBe(landing.commit);
    isClean(shop);
    expect(existsSync(join(shop.repository.path, "one.txt"))).toBe(false);
  });

  it("leaves its branch to somebody who has it checked out", async () => {
    const shop = await finished([fileTask("one")]);
    const mine = join(shop.repository.around, "mine");
    shop.git("worktree", "add", "-q", mine, FEATURE);
    const tip = shop.git("rev-parse", FEATURE);
    await shop.landed();
    expect(shop.git("rev-parse", FEATURE)).toBe(tip);
    expect(gitIn(mine, "status", "--porcelain")).toBe("");
  });

  it("takes along what a person accepted, also if it was not on the branch yet", async () => {
    const shop = await finished([fileTask("one", { checks: [] })]);
    must(await accept(shop.plan, { references: ["T-one"], reason: "looked at it" }));
    await shop.landed();
    expect(shop.git("show", "main:one.txt")).toBe("one");
  });

  it("lands with a check that a person has overridden, and runs the others", async () => {
    const shop = await openShop(
      [fileTask("one", { checks: [{ run: "test -f one.txt" }, { run: "test -f no.txt" }] })],
      {
        policy: { fixes: 0 },
      },
    );
    await shop.workThrough();
    expect((await shop.plan.view("T-one")).status).toBe("rejected");
    must(await accept(shop.plan, { references: ["T-one"], reason: "no.txt comes later" }));
    const landing = must(await landFeature({ ...shop.services, context: shop.plan }, "FEAT-A"));
    expect([landing.outcome, landing.checks.map(({ run }) => run)]).toEqual(["landed", ["test -f one.txt"]]);
    expect(shop.git("show", "main:one.txt")).toBe("one");
  });

  it("may have landed work taken back in the plan, and lands again without a second merge", async () => {
    const shop = await finished([fileTask("one")]);
    const { op, commit } = await shop.landed();
    must(await undo(shop.plan, String(op)));
    expect((await shop.plan.view(LAND)).status).toBe("ready");
    expect(await shop.landed()).toMatchObject({
      outcome: "already-landed",
      proof: "main contains the commits of all tasks (1); 1 check green on the result",
      checks: [{ passed: true }],
    });
    expect(shop.git("rev-parse", "main")).toBe(commit);
  });

  it("can have more work after a landing, and lands again", async () => {
    const shop = await finished([fileTask("one")]);
    await shop.landed();
    await addAll(shop.plan, [fileTask("two")]);
    must(await approve(shop.plan, { references: ["FEAT-A"] }));
    expect(await shop.refused()).toMatchObject({ reason: "tasks-open", details: { open: ["T-two"] } });
    await shop.workThrough();
    const landing = await shop.landed();
    expect(landing.land).toBe(`${LAND}-2`);
    expect(shop.git("show", "main:two.txt")).toBe("two");
    expect(shop.git("rev-list", "--count", "--merges", "main")).toBe("2");
  });
});

describe("a landing that is refused leaves everything as it was", () => {
  it("with tasks open, and says which", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")]);
    const person = { ...shop.services, context: shop.plan };
    const error = mustFail(await landFeature(person, LAND));
    expect(error).toMatchObject({ reason: "tasks-open", details: { open: ["T-one", "T-two"] } });
    expect(shop.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it.each<[string, (shop: Finished) => void, object]>([
    ["changed files", ({ repository }) => write(repository.path, { "README.md": "mine\n" }), { dirty: ["README.md"] }],
    [
      "staged files",
      ({ repository, git }) => {
        write(repository.path, { "new file": "mine\n" });
        git("add", "new file");
      },
      { dirty: ["new file"] },
    ],
    [
      "an unknown file in the way",
      ({ repository }) => write(repository.path, { "one.txt": "mine\n" }),
      { untracked: ["one.txt"] },
    ],
    [
      "somebody's merge",
      ({ git, repository }) => {
        git("checkout", "-q", "-b", "side");
        repository.commit({ "README.md": "side\n" });
        git("checkout", "-q", "main");
        git("merge", "-q", "--no-commit", "--no-ff", "side");
      },
      { dirty: ["README.md"] },
    ],
  ])("with %s in the checkout", async (_, deed, details) => {
    const shop = await finished([fileTask("one")]);
    deed(shop);
    const before = shop.everything();
    expect(await shop.refused()).toMatchObject({ reason: "dirty-tree", details });
    expect(await shop.refused({ dryRun: true })).toMatchObject({ reason: "dirty-tree" });
    expect(shop.everything()).toEqual(before);
    expect((await shop.plan.view(LAND)).status).toBe("ready");
  });

  it("with a conflict, which a person is asked about once", async () => {
    const shop = await finished([fileTask("one")]);
    shop.repository.commit({ "one.txt": "mine\n" });
    const before = shop.everything();
    expect(await shop.refused()).toMatchObject({ reason: "merge-conflict", details: { files: ["one.txt"] } });
    await shop.refused();
    expect(shop.everything()).toEqual(before);
    expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ kind: "land", blocks: [LAND] }]);
    // Settled by hand, it lands, and nobody is asked any more.
    shop.git("checkout", "-q", FEATURE);
    shop.git("merge", "-q", "-X", "ours", "main");
    shop.git("checkout", "-q", "main");
    await shop.landed();
    expect(must(await listQuestions(shop.plan, {}))).toEqual([]);
  });

  it("with a red check on the merged tree, although the branch was green", async () => {
    const shop = await finished([
      fileTask("one", { checks: [{ run: "test ! -f other.txt || { echo both; exit 3; }" }] }),
    ]);
    shop.repository.commit({ "other.txt": "other\n" });
    const before = shop.everything();
    const error = await shop.refused();
    expect(error).toMatchObject({ reason: "check-failed", message: expect.stringContaining("exit 3") });
    expect(error.details?.["failed"]).toMatchObject([{ output: "both\n" }]);
    expect(await shop.refused({ dryRun: true })).toMatchObject({ reason: "check-failed" });
    expect(shop.everything()).toEqual(before);
    expect((await shop.attempts()).at(-1)).toMatchObject({ taskId: LAND, state: "failed", merged: null });
    expect((await shop.plan.view(LAND)).status).toBe("ready");
    expect(must(await listQuestions(shop.plan, {}))).toEqual([]);
  });

  const withRequirement = async (value: string): Promise<{ shop: Finished; id: string }> => {
    const shop = await finished([fileTask("one")]);
    const measure = { metric: "p95_ms", op: "<=", target: 12, run: `echo measuring; echo ${value}` } as const;
    const made = must(await addRecord(shop.plan, { kind: "requirement", title: "Fast", ...measure }));
    must(await approveRecords(shop.plan, { ids: [made.id] }));
    return { shop, id: made.id };
  };

  it.each([
    ["13", "measured 13, required p95_ms <= 12"],
    ["oops", "its last line is not a number"],
  ])("with a requirement that comes to %s", async (value, outcome) => {
    const { shop, id } = await withRequirement(value);
    const before = shop.everything();
    const error = await shop.refused();
    expect(error).toMatchObject({ reason: "check-failed", details: { failed: [{ outcome }] } });
    expect(error.message).toContain(id);
    expect(shop.everything()).toEqual(before);
  });

  it("but not with one that is met", async () => {
    const { shop } = await withRequirement("12");
    expect((await shop.landed()).requirements).toMatchObject([{ passed: true, outcome: "measured 12, as required" }]);
  });

  it("when it is stopped", async () => {
    const shop = await finished([fileTask("one")]);
    const before = shop.everything();
    const stop = new AbortController();
    const services: EngineServices = { ...shop.person, onEvent: ({ type }) => type === "line" && stop.abort() };
    expect(mustFail(await landFeature(services, "FEAT-A", { signal: stop.signal })).reason).toBe("stopped");
    expect(shop.everything()).toEqual(before);
    expect((await shop.attempts()).at(-1)).toMatchObject({ taskId: LAND, state: "released", failure: null });
  });

  it("without git, or by an agent, or by a daemon below level auto", async () => {
    const shop = await finished([fileTask("one")]);
    const before = shop.everything();
    const withActor = (actor: string): EngineServices => ({ ...shop.services, context: shop.plan.as(actor) });
    for (const actor of ["agent:x", "daemon:test"]) {
      expect(mustFail(await landFeature(withActor(actor), "FEAT-A")).reason).toBe("needs-person");
    }
    const bare = { ...shop.person, context: { ...shop.plan, head: () => null } };
    expect(mustFail(await landFeature(bare, "FEAT-A")).reason).toBe("no-git");
    expect(shop.everything()).toEqual(before);
  });

  it("while somebody else lands it", async () => {
    let second: Promise<unknown> = Promise.resolve();
    const shop = await finished([fileTask("one")]);
    const person: EngineServices = {
      ...shop.person,
      onEvent: (event) => {
        if (event.type === "line") second = landFeature(shop.person, "FEAT-A").then(mustFail);
      },
    };
    must(await landFeature(person, "FEAT-A"));
    expect(await second).toMatchObject({ reason: "in-flight" });
    expect(shop.git("rev-list", "--count", "--merges", "main")).toBe("1");
  });
});

describe("a main branch that moves meanwhile", () => {
  /** Runs a deed when the checks of a landing begin. */
  const during = (shop: Finished, deed: (time: number) => void): EngineServices => {
    let times = 0;
    return {
      ...shop.person,
      onEvent: (event) => {
        if (event.type === "line") deed(++times);
      },
    };
  };

  it("is merged again and proven again", async () => {
    const shop = await finished([fileTask("one")]);
    const services = during(shop, (time) => {
      if (time === 1) shop.repository.commit({ "other.txt": "other\n" });
    });
    const landing = must(await landFeature(services, "FEAT-A"));
    expect(shop.git("rev-list", "--parents", "-1", "main").split(" ")[1]).toBe(landing.from);
    expect(shop.git("show", "main:other.txt")).toBe("other");
    isClean(shop);
  });

  it("is given up on after a few times", async () => {
    const shop = await finished([fileTask("one")]);
    const services = during(shop, (time) => shop.repository.commit({ "other.txt": `${time}\n` }));
    expect(mustFail(await landFeature(services, "FEAT-A"))).toMatchObject({ reason: "base-moved" });
    isClean(shop);
    expect((await shop.plan.view(LAND)).status).toBe("ready");
    expect(shop.git("for-each-ref", "--format=%(refname)").split("\n")).toEqual([
      "refs/heads/main",
      `refs/heads/${FEATURE}`,
      "refs/planwright/accepted/FEAT-A",
    ]);
  });

  it("or whose checkout somebody changes is left alone", async () => {
    const shop = await finished([fileTask("one")]);
    const services = during(shop, () => write(shop.repository.path, { "one.txt": "mine\n" }));
    const main = shop.git("rev-parse", "main");
    expect(mustFail(await landFeature(services, "FEAT-A"))).toMatchObject({
      reason: "dirty-tree",
      details: { paths: ["one.txt"] },
    });
    expect([shop.git("rev-parse", "main"), shop.git("status", "--porcelain")]).toEqual([main, "?? one.txt"]);
    expect(readFileSync(join(shop.repository.path, "one.txt"), "utf8")).toBe("mine\n");
  });

  it("does not get work that came into the feature meanwhile, and says so", async () => {
    const shop = await finished([fileTask("one")]);
    let added: Promise<unknown> = Promise.resolve();
    const services = during(shop, () => {
      added = addAll(shop.plan, [fileTask("two")]);
    });
    expect(mustFail(await landFeature(services, "FEAT-A"))).toMatchObject({
      reason: "tasks-open",
      details: { open: ["T-two"] },
    });
    await added;
    expect((await shop.plan.view("FEAT-A")).status).not.toBe("done");
  });
});
