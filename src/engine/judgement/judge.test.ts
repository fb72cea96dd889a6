import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { type Doing, fileTask, openShop, type Shop, type ShopOptions } from "../../../test/shop.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import type { NodeInput } from "../../model/node/content.js";
import { answer } from "../../plan/answer/answer.js";
import { addRecord } from "../../verbs/record/add.js";
import { approveRecords } from "../../verbs/record/approve.js";

const FEATURE = "planwright/feature/FEAT-A";

/** A worker that writes these files; null deletes one. */
const writes =
  (files: Readonly<Record<string, string | null>>): Doing =>
  ({ cwd }) => {
    for (const [path, text] of Object.entries(files)) {
      const file = join(cwd, path);
      mkdirSync(dirname(file), { recursive: true });
      if (text === null) rmSync(file);
      else writeFileSync(file, text);
    }
    return {};
  };

async function run(
  task: Partial<NodeInput>,
  files: Readonly<Record<string, string | null>>,
  { policy, ...rest }: ShopOptions = {},
): Promise<{ shop: Shop; attempt: Attempt }> {
  const shop = await openShop([fileTask("one", { files: ["src/**"], ...task })], {
    doing: writes(files),
    policy: { fixes: 0, footprint: "ask", proof: "note", ...policy },
    ...rest,
  });
  await shop.workThrough();
  const attempt = (await shop.attempts()).at(-1) as Attempt;
  return { shop, attempt };
}

const questions = async ({ plan }: Shop): Promise<string[]> =>
  (await plan.store.read((reader) => reader.items("question", { state: "open" }))).map(({ fields }) => fields.question);

const beforeOf = ({ checks }: Attempt): unknown[] => checks.map(({ before }) => before && [before.on, before.passed]);

describe("a red check", () => {
  it("never counts as passed, even if the same failure was there before in files that nobody touched", async () => {
    const check = "echo 'src/old.js(1,1): error TS1'; exit 1";
    const { shop, attempt } = await run({ checks: [{ run: check }] }, { "src/a.js": "// a comment\n" });
    expect(attempt).toMatchObject({ state: "rejected", checks: [{ passed: false }] });
    expect(shop.git("branch", "--list", FEATURE)).toContain(FEATURE);
    expect(shop.git("log", "--format=%s", FEATURE)).toBe("begin");
  });

  it("is excused by name if a person approved it as a baseline, and is not green", async () => {
    const shop = await openShop([fileTask("one", { files: ["src/**"], checks: [{ run: "sh report.sh" }] })], {
      doing: writes({ "src/a.js": "a\n" }),
      files: { "report.sh": "echo 'not ok 1 - old'; echo '# fail 1'; exit 1\n" },
    });
    const baseline = { kind: "baseline" as const, title: "Old failure", check: "sh report.sh", failing: ["old"] };
    const { id } = must(await addRecord(shop.plan, baseline));
    must(await approveRecords(shop.plan, { ids: [id] }));
    await shop.workThrough();
    const [attempt] = await shop.attempts();
    expect(attempt).toMatchObject({ state: "accepted", checks: [{ passed: false, excused: id }] });
  });

  it("is not excused if another test fails, or if the report cannot be read", async () => {
    for (const report of ["echo 'not ok 1 - old'; echo 'not ok 2 - new'; exit 1\n", "echo boom; exit 1\n"]) {
      const shop = await openShop([fileTask("one", { files: ["src/**"], checks: [{ run: "sh report.sh" }] })], {
        doing: writes({ "src/a.js": "a\n" }),
        files: { "report.sh": report },
        policy: { fixes: 0 },
      });
      const baseline = { kind: "baseline" as const, title: "Old failure", check: "sh report.sh", failing: ["old"] };
      must(await approveRecords(shop.plan, { ids: [must(await addRecord(shop.plan, baseline)).id] }));
      await shop.workThrough();
      expect((await shop.attempts())[0]).toMatchObject({ state: "rejected" });
    }
  });
});

describe("the proof", () => {
  it("says that a check was red before and is green now", async () => {
    const { shop, attempt } = await run({ checks: [{ run: "test -f src/a.js" }] }, { "src/a.js": "a\n" });
    expect(attempt.state).toBe("accepted");
    expect(beforeOf(attempt)).toEqual([["base", false]]);
    expect((await shop.plan.view("T-one")).report?.checks[0]?.before).toMatchObject({ on: "base", passed: false });
  });

  it("says that a check was green before", async () => {
    const { attempt } = await run({ checks: [{ run: "true" }, { run: "test -f src/a.js" }] }, { "src/a.js": "a\n" });
    expect(beforeOf(attempt)).toEqual([
      ["base", true],
      ["base", false],
    ]);
  });

  it("puts only the tests of the change onto the base, where they should fail", async () => {
    const check = "for t in src/*.test.sh; do sh $t || exit 1; done";
    const files = { "src/old.test.sh": "true\n" };
    const change = { "src/a.js": "a\n", "src/a.test.sh": "test -f src/a.js\n" };
    const { attempt } = await run({ checks: [{ run: check }] }, change, { files });
    expect(beforeOf(attempt)).toEqual([["tests", false]]);
    const empty = { "src/a.js": "a\n", "src/a.test.sh": "true\n" };
    expect(beforeOf((await run({ checks: [{ run: check }] }, empty, { files })).attempt)).toEqual([["tests", true]]);
  });

  it("leaves weak work to a person if the settings require a strong proof", async () => {
    const policy = { proof: "require" } as const;
    const { attempt } = await run({ checks: [{ run: "true" }] }, { "src/a.js": "a\n" }, { policy });
    expect(attempt).toMatchObject({ state: "pending" });
    expect(attempt.note).toContain("no check fails without the change");
    const strong = await run({ checks: [{ run: "test -f src/a.js" }] }, { "src/a.js": "a\n" }, { policy });
    expect(strong.attempt.state).toBe("accepted");
  });

  it("runs no check twice on the same tree", async () => {
    const run = "echo x >> $PLANWRIGHT_WORKSPACE/.planwright/runs; test -f one.txt -o -f two.txt";
    const tasks = ["one", "two"].map((name) => fileTask(name, { checks: [{ run }] }));
    const shop = await openShop(tasks, { policy: { proof: "note" } });
    mkdirSync(join(shop.repository.path, ".planwright"), { recursive: true });
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect((await shop.attempts()).map(beforeOf)).toEqual([[["base", false]], [["base", true]]]);
    // Once on the base and once for each task: the second one begins where the result of the first is known.
    expect(readFileSync(join(shop.repository.path, ".planwright", "runs"), "utf8")).toBe("x\nx\nx\n");
  });

  it("names a check that failed and then passed on the same tree, and leaves it to a person", async () => {
    const flaky =
      "test -f $PLANWRIGHT_WORKSPACE/.planwright/again || { touch $PLANWRIGHT_WORKSPACE/.planwright/again; exit 1; }";
    const { attempt } = await run({ checks: [{ run: flaky }] }, { "src/a.js": "a\n" }, { policy: { fixes: 1 } });
    expect(attempt).toMatchObject({ state: "pending", checks: [{ passed: true, flaky: true }] });
    expect(attempt.note).toContain("failed and passed on the same tree");
  });
});

describe("a worker cannot weaken its judge:", () => {
  const files = {
    "src/a.js": "a\n",
    "test/a.test.sh": "grep -q right src/a.js\n",
    "package.json": '{"scripts":{"test":"sh test/a.test.sh"}}\n',
    ".github/workflows/ci.yml": "on: push\n",
  };
  const checks = [{ run: "sh test/a.test.sh" }];

  it("an emptied test waits for a person, who sees what the test says as it was", async () => {
    const { shop, attempt } = await run({ checks }, { "src/a.js": "wrong\n", "test/a.test.sh": "true\n" }, { files });
    expect(attempt).toMatchObject({ state: "pending", protectedFiles: ["test/a.test.sh"] });
    expect(attempt.note).toContain("with the old test the check fails: sh test/a.test.sh (exit 1, expected exit 0)");
    expect(shop.git("log", "--format=%s", FEATURE)).toBe("begin");
    expect(await questions(shop)).toEqual([
      'T-one "Make one" changed a test; with the old test the check fails. What next: widen, reject or accept-once?',
    ]);
  });

  it("an emptied test waits for a person in a task without a footprint, too", async () => {
    const change = { "src/a.js": "wrong\n", "test/a.test.sh": "true\n" };
    const { shop, attempt } = await run({ checks, files: [] }, change, { files });
    expect(attempt).toMatchObject({ state: "pending", protectedFiles: ["test/a.test.sh"] });
    expect(shop.git("log", "--format=%s", FEATURE)).toBe("begin");
    const [open] = await shop.plan.store.read((reader) => reader.items("question", { state: "open" }));
    expect(open?.fields.question).toBe(
      'T-one "Make one" changed a test; with the old test the check fails. What next: reject or accept-once?',
    );
    expect(open?.fields.options.map(({ id }) => id)).toEqual(["reject", "accept-once"]);
    must(await answer(shop.plan, { id: open?.key ?? "", option: "accept-once" }));
    await shop.workThrough();
    expect(await shop.plan.view("T-one")).toMatchObject({
      status: "done",
      acceptance: { by: "human:ada", reason: "accepted once: changed what judges it: test/a.test.sh" },
    });
    expect(shop.git("show", `${FEATURE}:test/a.test.sh`)).toBe("true");
  });

  it("a changed test is accepted without a footprint if the old test passes as well, and the proof says so", async () => {
    const change = { "src/a.js": "right\n", "test/a.test.sh": "grep -q ri src/a.js\n" };
    const { shop, attempt } = await run({ checks, files: [] }, change, { files });
    expect(attempt).toMatchObject({ state: "accepted", checks: [{ passed: true, restored: ["test/a.test.sh"] }] });
    expect((await shop.plan.view("T-one")).proof?.words).toContain("also passes with test/a.test.sh unchanged");
  });

  it.each([
    ["package scripts", { "package.json": '{"scripts":{"test":"true"}}\n' }, ["package.json"]],
    ["CI", { ".github/workflows/ci.yml": "on: []\n" }, [".github/workflows/ci.yml"]],
    ["a deleted test", { "test/a.test.sh": null }, ["test/a.test.sh"]],
  ])("%s wait for a person", async (_, change, expected) => {
    const { attempt } = await run({ checks: [{ run: "true" }] }, { "src/a.js": "b\n", ...change }, { files });
    expect(attempt).toMatchObject({ state: "pending", protectedFiles: expected });
  });

  it("a huge change is not taken", async () => {
    const { attempt } = await run({ checks: [{ run: "true" }] }, { "src/big.bin": "x".repeat(1_200_000) });
    expect(attempt).toMatchObject({ state: "rejected" });
    expect(attempt.failure?.reason).toContain("at most 1 MB");
  });
});

describe("the footprint", () => {
  const change = { "src/a.js": "a\n", "lib/b.js": "b\n", "lib/b.test.sh": "true\n" };
  const checks = [{ run: "test -f src/a.js" }];

  async function asked(): Promise<{ shop: Shop; question: string }> {
    const { shop, attempt } = await run({ checks }, change);
    expect(attempt).toMatchObject({ state: "pending", outside: ["lib/b.js", "lib/b.test.sh"] });
    const open = await shop.plan.store.read((reader) => reader.items("question", { owner: "T-one", state: "open" }));
    expect(open.map(({ fields }) => [fields.kind, fields.options.map(({ id }) => id)])).toEqual([
      ["footprint", ["widen", "reject", "accept-once"]],
    ]);
    return { shop, question: open[0]?.key ?? "" };
  }

  it("is asked about, and can be widened", async () => {
    const { shop, question } = await asked();
    must(await answer(shop.plan, { id: question, option: "widen" }));
    const view = await shop.plan.view("T-one");
    expect(view).toMatchObject({
      status: "done",
      files: ["src/**", "lib/b.js", "lib/b.test.sh"],
      approval: { stale: false },
    });
    await shop.workThrough();
    expect(shop.git("show", `${FEATURE}:lib/b.js`)).toBe("b");
  });

  it("can be overridden once, with actor and reason", async () => {
    const { shop, question } = await asked();
    must(await answer(shop.plan, { id: question, option: "accept-once" }));
    expect(await shop.plan.view("T-one")).toMatchObject({
      status: "done",
      files: ["src/**"],
      acceptance: { by: "human:ada", reason: "accepted once: changed files outside of its footprint" },
    });
  });

  it("can be the reason to reject", async () => {
    const { shop, question } = await asked();
    must(await answer(shop.plan, { id: question, option: "reject" }));
    expect((await shop.plan.view("T-one")).status).toBe("rejected");
  });

  it("is only noted, or refused, if the settings say so", async () => {
    const noted = await run({ checks }, change, { policy: { footprint: "note" } });
    expect(noted.attempt).toMatchObject({ state: "accepted", outside: ["lib/b.js", "lib/b.test.sh"] });
    const refused = await run({ checks }, change, { policy: { footprint: "refuse" } });
    expect(refused.attempt).toMatchObject({ state: "rejected" });
    expect(refused.attempt.failure?.reason).toContain("lib/b.js");
  });
});

it("a change that breaks a constraint is refused, whatever its checks say", async () => {
  const shop = await openShop([fileTask("one", { files: ["src/**"], checks: [{ run: "true" }] })], {
    doing: writes({ "legacy/a.js": "a\n" }),
    policy: { fixes: 0, footprint: "note" },
  });
  const constraint = { kind: "constraint" as const, title: "Keep the old parser", forbidFiles: ["legacy/**"] };
  must(await approveRecords(shop.plan, { ids: [must(await addRecord(shop.plan, constraint)).id] }));
  await shop.workThrough();
  const [attempt] = await shop.attempts();
  expect(attempt).toMatchObject({ state: "rejected", merged: null });
  expect(attempt?.failure?.reason).toContain("legacy/a.js");
});

it("ignored files of a worker cannot make a check pass", async () => {
  const shop = await openShop(
    [fileTask("one", { files: [], checks: [{ run: "grep -qs right one.txt build/one.txt" }] })],
    {
      files: { ".gitignore": ".planwright\nbuild/\n" },
      doing: writes({ "one.txt": "wrong\n", "build/one.txt": "right\n" }),
      policy: { fixes: 0 },
    },
  );
  await shop.workThrough();
  const [attempt] = await shop.attempts();
  expect(attempt).toMatchObject({ state: "rejected", merged: null });
  expect(attempt?.checks).toMatchObject([{ passed: false, outcome: "exit 2, expected exit 0" }]);
});

it("a NUL from a program's output gets into no note of an attempt", async () => {
  const failure = { class: "logic", reason: "a.txt\0b.txt\0 cannot be read" };
  const shop = await openShop([fileTask("one")], {
    doing: () => ({ ending: "gave-up", failure }),
    policy: { fixes: 0, logicRetries: 0 },
  });
  await shop.workThrough();
  const [attempt] = await shop.attempts();
  expect(attempt?.note).toContain("a.txt b.txt  cannot be read");
  expect(JSON.stringify(attempt)).not.toContain("\\u0000");
});
