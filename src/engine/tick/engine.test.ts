import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import type { Hold } from "../../model/status/holds.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import type { Context } from "../../plan/base/context.js";
import { accept, reset } from "../../plan/claim/settle-tasks.js";
import { setLevel } from "../../plan/level/level.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { unapprove } from "../../verbs/branch/unapprove.js";
import { releaseClaim } from "../../verbs/claim/release.js";
import { undo } from "../../verbs/history/take-back.js";
import { why } from "../../verbs/look/why-node.js";
import { edit } from "../../verbs/node/edit.js";

const FEATURE = "planwright/feature/FEAT-A";

const subjects = (shop: Shop, branch = FEATURE): string[] =>
  shop.git("log", "--format=%s", branch).split("\n").reverse().slice(1);

const states = async (shop: Shop): Promise<string[]> =>
  (await shop.attempts()).map(({ taskId, state }) => `${taskId} ${state}`);

/** Nothing is left that only an attempt in progress needs. */
const leftovers = (shop: Shop): string =>
  shop.git("for-each-ref", "--format=%(refname)", "refs/heads/planwright/attempt");

const phrase = (held: readonly Hold[] | undefined): string | undefined => held?.map(phraseOf).join();

describe("the engine", () => {
  it("does a task in a worktree of its own and puts exactly its change on the feature's branch", async () => {
    const shop = await openShop([fileTask("one")]);
    const main = shop.git("rev-parse", "main");
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one accepted"]);
    expect(shop.git("diff", "--name-status", "main", FEATURE)).toBe("A\tone.txt");
    expect(shop.git("log", "-1", "--format=%(trailers:only,unfold)", FEATURE).trim().split("\n")).toEqual([
      "Planwright-Task: T-one",
      "Planwright-Attempt: ATT-00001",
      expect.stringMatching(/^Planwright-Operation: \d+$/),
      "Planwright-Worker: shell",
    ]);
    const view = await shop.plan.view("T-one");
    expect(view.status).toBe("done");
    expect(view.report?.commit).toBe(shop.git("rev-parse", FEATURE));
    expect(shop.git("rev-parse", "main")).toBe(main);
    expect(shop.git("status", "--porcelain")).toBe("");
    expect(leftovers(shop)).toBe("");
    expect((await shop.plan.store.verify()).differences).toEqual([]);
    // Opened again, what is on the branch stays there, and whoever did it is told.
    const again = must(await reset(shop.plan, { references: ["T-one"], reason: "once more" }));
    expect(again.tasks).toMatchObject([{ stays: shop.git("rev-parse", FEATURE) }]);
  });

  it("tells the worker what a check found, in the same attempt, and takes what it fixes", async () => {
    const told: (string | null)[] = [];
    const shop = await openShop([fileTask("one", { checks: [{ run: "grep right one.txt" }] })], {
      doing: ({ cwd }, { failure }) => {
        told.push(failure);
        writeFileSync(join(cwd, "one.txt"), failure === null ? "wrong\n" : "right\n");
        return {};
      },
    });
    await shop.workThrough();
    expect(told).toEqual([null, expect.stringContaining("`grep right one.txt` failed: exit 1")]);
    expect((await shop.attempts())[0]).toMatchObject({ state: "accepted", rounds: 1 });
    expect(shop.git("show", `${FEATURE}:one.txt`)).toBe("right");
    expect(subjects(shop)).toEqual(["T-one: Make one"]);
  });

  it("tries a fault once more with the failure in hand, then parks the task and asks", async () => {
    const told: (string | null)[] = [];
    const shop = await openShop([fileTask("one", { checks: [{ run: "echo 'AssertionError: no'; exit 1" }] })], {
      policy: { fixes: 0 },
      doing: ({ cwd }, { failure }) => {
        told.push(failure);
        writeFileSync(join(cwd, "one.txt"), "x\n");
        return {};
      },
    });
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one rejected", "T-one rejected"]);
    expect(told).toEqual([null, expect.stringContaining("AssertionError: no")]);
    expect((await shop.plan.view("T-one")).status).toBe("rejected");
    const [asked] = must(await listQuestions(shop.plan, {}));
    expect(asked).toMatchObject({ kind: "rejected", blocks: ["T-one"], recommended: "reset" });
    expect(must(await why(shop.plan, "T-one")).reason).toBe("rejected");
    // What it did is kept, the first and the second time.
    const kept = shop.git("for-each-ref", "--format=%(refname)", "refs/planwright/kept").split("\n");
    expect(kept).toEqual(["refs/planwright/kept/ATT-00001", "refs/planwright/kept/ATT-00002"]);
    expect(shop.git("show", `${kept[0]}:one.txt`)).toBe("x");
    expect(leftovers(shop)).toBe("");
  });

  it("parks a task whose budget of attempts is spent as rejected, with a question: the rejection never vanishes", async () => {
    const shop = await openShop(
      [fileTask("one", { checks: [{ run: "echo 'AssertionError: no'; exit 1" }], budgets: { attempts: 1 } })],
      { policy: { fixes: 0 }, doing: ({ cwd }) => (writeFileSync(join(cwd, "one.txt"), "x\n"), {}) },
    );
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one rejected"]);
    expect(await shop.plan.view("T-one")).toMatchObject({ status: "rejected", reason: "rejected" });
    expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ kind: "rejected", blocks: ["T-one"] }]);
  });

  it("never runs the commands of a task twice because a check failed: >> does not append again", async () => {
    const shop = await openShop(
      [
        fileTask("one", {
          body: "```sh run\necho line >> one.txt\n```",
          checks: [{ run: "echo 'AssertionError: no'; exit 1" }],
        }),
      ],
      { policy: { fixes: 3, logicRetries: 5 } },
    );
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one rejected"]);
    expect(shop.git("show", "refs/planwright/kept/ATT-00001:one.txt")).toBe("line");
    expect(must(await listQuestions(shop.plan, {}))).toHaveLength(1);
  });

  it("accepts nothing that no check proved; what a person accepts goes onto the branch", async () => {
    const shop = await openShop([fileTask("one", { checks: [] })]);
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one pending"]);
    expect((await shop.plan.view("T-one")).acceptance?.state).toBe("pending");
    expect(subjects(shop)).toEqual([]);
    must(await accept(shop.plan, { references: ["T-one"], reason: "looked at it" }));
    must(await shop.engine().tick());
    expect(await states(shop)).toEqual(["T-one accepted"]);
    expect(subjects(shop)).toEqual(["T-one: Make one"]);
    expect((await shop.plan.view("T-one")).report?.commit).toBe(shop.git("rev-parse", FEATURE));
    expect(shop.git("for-each-ref", "--format=%(refname)", "refs/planwright")).toBe("refs/planwright/accepted/FEAT-A");
  });

  it("never accepts a stray file unseen because a task has no checks: you are asked, and your acceptance shows it", async () => {
    const shop = await openShop([fileTask("one", { checks: [] })], {
      doing: ({ cwd }) => {
        for (const name of ["one", "stray"]) writeFileSync(join(cwd, `${name}.txt`), "x\n");
        return {};
      },
    });
    await shop.workThrough();
    const outside = "The change touches files outside of the task's footprint: stray.txt.";
    expect((await shop.plan.view("T-one")).acceptance?.reason).toBe(`it has no checks. ${outside}`);
    const [asked] = must(await listQuestions(shop.plan, {}));
    expect(asked?.question).toContain("has no checks, and changed files outside of its footprint");
    const { tasks } = must(await accept(shop.plan, { references: ["T-one"], reason: "read it" }));
    expect(tasks).toMatchObject([{ outside: ["stray.txt"], changes: { created: ["one.txt", "stray.txt"] } }]);
  });

  it("does not take passing checks for work when nothing was changed", async () => {
    const shop = await openShop([fileTask("one", { checks: [{ run: "true" }] })], { doing: () => ({}) });
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one pending"]);
    expect((await shop.plan.view("T-one")).acceptance?.reason).toContain("nothing was changed");
  });

  it("lets a review only look", async () => {
    let turns = 0;
    const shop = await openShop([fileTask("one", { kind: "review", checks: [{ run: "true" }] })], {
      doing: ({ cwd }, { failure }) => {
        turns++;
        writeFileSync(join(cwd, "README.md"), failure === null ? "changed\n" : "hello\n");
        return {};
      },
    });
    await shop.workThrough();
    expect([turns, await states(shop)]).toEqual([2, ["T-one accepted"]]);
    expect(subjects(shop)).toEqual([]);
  });

  it("has the checks of a review do the looking where the shell has nothing to run", async () => {
    const review = (name: string, checks: { run: string }[]) =>
      fileTask(name, { kind: "review", body: "Look at it.", checks });
    const shop = await openShop([review("one", [{ run: "test -f README.md" }]), review("two", [])]);
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one accepted", "T-two pending"]);
  });

  it("checks again on the merged tree when somebody was faster, and keeps the branch a line", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two"), fileTask("three")]);
    await shop.workThrough(shop.engine({ workers: 3 }));
    expect((await states(shop)).every((state) => state.endsWith("accepted"))).toBe(true);
    expect(subjects(shop).toSorted()).toEqual(["T-one: Make one", "T-three: Make three", "T-two: Make two"]);
    expect(shop.git("log", "--merges", "--format=%h", FEATURE)).toBe("");
    const attempts = await shop.attempts();
    const again = attempts.filter(({ base, mergedChecks }) => base === attempts[0]?.base && mergedChecks.length > 0);
    expect(again.length).toBe(2);
  });

  it("does what does not merge once more, on top of what was in its way", async () => {
    let [release, both] = [(): void => undefined, 0];
    const together = new Promise<void>((go) => {
      release = go;
    });
    const shop = await openShop(
      [fileTask("one", { files: [] }), fileTask("two", { files: [] })].map((each) => ({
        ...each,
        checks: [{ run: "test -f shared.txt" }],
      })),
      {
        doing: async ({ cwd, task }, { failure }) => {
          if (++both === 2) release();
          await together;
          const seen = existsSync(join(cwd, "shared.txt"));
          writeFileSync(join(cwd, "shared.txt"), `${seen ? "both" : task.id}\n`);
          return { said: failure ?? "" };
        },
      },
    );
    await shop.workThrough();
    const ended = await states(shop);
    expect(ended.filter((state) => state.endsWith("accepted")).length).toBe(2);
    expect((await shop.attempts()).find(({ state }) => state === "failed")?.failure).toMatchObject({
      class: "conflict",
      action: "arbitrate",
    });
    expect(shop.git("show", `${FEATURE}:shared.txt`)).toBe("both");
  });

  it("never runs two tasks that overlap together: the second waits for the first, and says why", async () => {
    const working = new Set<string>();
    let most = 0;
    const shop = await openShop(
      [fileTask("one", { files: ["src/shared.ts"] }), fileTask("two", { files: ["src/"] }), fileTask("three")],
      {
        doing: async ({ cwd, task }) => {
          working.add(task.id);
          if (working.has("T-one") && working.has("T-two")) throw new Error("together");
          most = Math.max(most, working.size);
          writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "x\n");
          await expect.poll(() => shop.events.some(({ type }) => type === "state")).toBe(true);
          working.delete(task.id);
          return {};
        },
      },
    );
    const engine = shop.engine({ workers: 3 });
    must(await engine.tick());
    expect(must(await why(shop.plan, "T-two"))).toMatchObject({ status: "blocked", because: ["T-one"] });
    await shop.workThrough(engine);
    expect((await states(shop)).every((state) => state.endsWith("accepted"))).toBe(true);
    expect(await shop.plan.store.read((reader) => reader.items("conflict", {}))).toEqual([]);
    expect(most).toBeLessThanOrEqual(2);
  });

  it("tries trouble that passes again, but not before its time", async () => {
    let turns = 0;
    const shop = await openShop([fileTask("one")], {
      doing: ({ cwd }) => {
        if (turns++ === 0) return { ending: "crashed", problem: "connect ECONNRESET" };
        writeFileSync(join(cwd, "one.txt"), "x\n");
        return {};
      },
    });
    const engine = shop.engine();
    await shop.workThrough(engine);
    expect((await shop.attempts())[0]?.failure).toMatchObject({ class: "transient", action: "retry" });
    const { started, held } = must(await engine.tick());
    expect([started, phrase(held.get("T-one"))]).toEqual([[], expect.stringContaining("tried again at")]);
    shop.plan.pass(61_000);
    await shop.workThrough(engine);
    expect(await states(shop)).toEqual(["T-one failed", "T-one accepted"]);
  });

  it("can change nothing once its claim is gone", async () => {
    const shop = await openShop([fileTask("one")], {
      doing: async ({ cwd }) => {
        writeFileSync(join(cwd, "one.txt"), "x\n");
        must(await releaseClaim(shop.plan, { reference: "T-one" }));
        return {};
      },
    });
    const engine = shop.engine();
    must(await engine.tick());
    await engine.oneEnded();
    expect(subjects(shop)).toEqual([]);
    expect((await shop.plan.view("T-one")).status).toBe("frozen");
    must(await shop.engine({ workers: 0 }).tick());
    expect(await states(shop)).toEqual(["T-one lost"]);
    expect(shop.git("show", "refs/planwright/kept/ATT-00001:one.txt")).toBe("x");
    expect(leftovers(shop)).toBe("");
  });

  /** A worker that works until it is stopped. */
  async function busyShop() {
    const begun = withResolvers();
    const shop = await openShop([fileTask("one")], {
      doing: (_work, { signal }) => {
        begun.resolve();
        return new Promise((done) => signal.addEventListener("abort", () => done({ ending: "cancelled" })));
      },
    });
    const engine = shop.engine();
    must(await engine.tick());
    await begun.promise;
    return { shop, engine };
  }

  it.each([
    ["unapprove", (plan: Context) => unapprove(plan, { references: ["T-one"] }), "planned"],
    ["freeze", (plan: Context) => freeze(plan, { references: ["T-one"] }), "frozen"],
    ["claim release", (plan: Context) => releaseClaim(plan, { reference: "T-one" }), "frozen"],
  ])("never lets a worker go on after your %s, and starts its task no more by itself", async (_, withdraw, status) => {
    const { shop, engine } = await busyShop();
    must<unknown>(await withdraw(shop.plan));
    await engine.oneEnded();
    expect(must(await engine.tick()).started).toEqual([]);
    expect(await states(shop)).toEqual(["T-one lost"]);
    expect(await shop.plan.view("T-one")).toMatchObject({ status, claim: null });
  });

  it("never gives a stopped worker its claim back: undo of the freeze puts the task into the queue", async () => {
    const { shop, engine } = await busyShop();
    must(await freeze(shop.plan, { references: ["T-one"] }));
    await engine.oneEnded();
    must(await undo(shop.plan));
    expect(await shop.plan.view("T-one")).toMatchObject({ status: "ready", claim: null });
  });

  it("gives back what it works on when it is stopped, and loses nothing of it", async () => {
    const begun = withResolvers();
    const shop = await openShop([fileTask("one")], {
      doing: ({ cwd }, { signal }) => {
        writeFileSync(join(cwd, "one.txt"), "half\n");
        begun.resolve();
        return new Promise((done) => signal.addEventListener("abort", () => done({ ending: "cancelled" })));
      },
    });
    const engine = shop.engine();
    must(await engine.tick());
    await begun.promise;
    await engine.stop();
    expect(await states(shop)).toEqual(["T-one released"]);
    expect((await shop.plan.view("T-one")).status).toBe("ready");
    expect(shop.git("show", "refs/planwright/kept/ATT-00001:one.txt")).toBe("half");
    expect(shop.git("worktree", "list").split("\n").length).toBe(1);
  });

  it("obeys levels as a daemon", async () => {
    const shop = await openShop([fileTask("one")]);
    const engine = shop.engine({ obeysLevels: true });
    expect(phrase(must(await engine.tick()).held.get("T-one"))).toBe("the level is off");
    must(await setLevel(shop.plan, { level: "on" }));
    await shop.workThrough(engine);
    expect(await states(shop)).toEqual(["T-one accepted"]);
  });

  it("stops a feature for a while when too much of it fails", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two"), fileTask("three")], {
      policy: { storm: { failures: 2, minutes: 10, pauseMinutes: 30 }, fixes: 0 },
      doing: () => ({ ending: "gave-up", failure: { class: "design", reason: "cannot be done" } }),
    });
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect(await states(shop)).toEqual(["T-one failed", "T-two failed"]);
    const { held } = must(await shop.engine().tick());
    expect(phrase(held.get("T-three"))).toContain("too many attempts of its feature failed");
    shop.plan.pass(31 * 60_000);
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect((await states(shop)).length).toBe(3);
  });

  it("begins nothing over a budget of the day", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")], {
      policy: { dayTokens: 100 },
      doing: ({ cwd, task }) => {
        writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "x\n");
        return { usage: { inputTokens: 90, outputTokens: 20, costUsd: null } };
      },
    });
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect(await states(shop)).toEqual(["T-one accepted"]);
    expect(phrase(must(await shop.engine().tick()).held.get("T-two"))).toContain("110 of 100 tokens");
    const [asked, ...more] = must(await listQuestions(shop.plan));
    expect([asked?.kind, asked?.question, more]).toEqual([
      "budget",
      expect.stringContaining("its budget is spent"),
      [],
    ]);
  });

  it("takes a worker's work however it left the repository: its own commits, another branch, a moved HEAD", async () => {
    const script =
      "echo one > one.txt; git add .; git -c user.email=w@w -c user.name=w commit -qm mine; git checkout -q -b elsewhere";
    const shop = await openShop([fileTask("one", { body: `\`\`\`sh run\n${script}\n\`\`\`` })]);
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one accepted"]);
    expect(subjects(shop)).toEqual(["T-one: Make one"]);
    expect(leftovers(shop)).toBe("");
  });

  it("does not take what its checks left behind for the worker's", async () => {
    const shop = await openShop(
      [fileTask("one", { checks: [{ run: "mkdir -p coverage; date > coverage/report; grep two one.txt" }] })],
      {
        doing: ({ cwd }, { failure }) => {
          writeFileSync(join(cwd, "one.txt"), failure === null ? "one\n" : "two\n");
          return {};
        },
      },
    );
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one accepted"]);
    expect(shop.git("diff", "--name-only", "main", FEATURE)).toBe("one.txt");
  });

  it("accepts nothing that was changed after it was approved", async () => {
    const shop = await openShop([fileTask("one")], {
      doing: async ({ cwd }) => {
        writeFileSync(join(cwd, "one.txt"), "one\n");
        must(await edit(shop.plan, { reference: "T-one", body: "Something else." }));
        return {};
      },
    });
    const engine = shop.engine();
    must(await engine.tick());
    await engine.oneEnded();
    expect(await states(shop)).toEqual(["T-one released"]);
    expect((await shop.plan.view("T-one")).reason).toBe("approval-stale");
    expect(subjects(shop)).toEqual([]);
  });

  it("makes a broken worktree again", async () => {
    const shop = await openShop([fileTask("one")]);
    const slot = join(shop.services.policy.worktrees, "slot-1");
    mkdirSync(slot, { recursive: true });
    writeFileSync(join(slot, ".git"), "gitdir: /nowhere\n");
    await shop.workThrough();
    expect(await states(shop)).toEqual(["T-one accepted"]);
  });
});

interface Resolvers {
  readonly promise: Promise<void>;
  resolve(): void;
}

function withResolvers(): Resolvers {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
