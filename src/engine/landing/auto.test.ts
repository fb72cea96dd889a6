import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FEATURE, type Finished, finished, isClean, LAND, never } from "../../../test/finished-feature.js";
import { gitIn, write } from "../../../test/git-repository.js";
import { addAll, must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { answer } from "../../plan/answer/answer.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { setLevel } from "../../plan/level/level.js";
import { readNews } from "../../plan/news/read-news.js";
import { subscribe } from "../../plan/news/subscribe.js";
import { approve } from "../../plan/node/approve.js";
import { undo } from "../../verbs/history/take-back.js";
import { complete } from "../../verbs/task/hand-in.js";
import { landFeature } from "./land.js";
import { landReady } from "./land-ready.js";

describe("at level auto the daemon", () => {
  it("lands what is finished, and only then", async () => {
    const shop = await finished([fileTask("one")]);
    expect(await landReady(shop.services, never)).toEqual([]);
    must(await setLevel(shop.plan, { level: "auto" }));
    expect(await landReady(shop.services, never)).toEqual(["FEAT-A"]);
    expect(await landReady(shop.services, never)).toEqual([]);
    expect((await shop.plan.view(LAND)).acceptance?.by).toBe("daemon:test");
    isClean(shop);
  });

  it("asks once about a red check, and tries again only when a branch has moved", async () => {
    const shop = await finished([fileTask("one", { checks: [{ run: "test ! -f other.txt" }] })]);
    shop.repository.commit({ "other.txt": "other\n" });
    must(await setLevel(shop.plan, { level: "auto" }));
    for (let tick = 0; tick < 3; tick++) expect(await landReady(shop.services, never)).toEqual([]);
    const landings = (): Promise<number> =>
      shop.attempts().then((all) => all.filter(({ taskId }) => taskId === LAND).length);
    expect(await landings()).toBe(1);
    expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ kind: "land" }]);
    rmSync(join(shop.repository.path, "other.txt"));
    shop.repository.commit({});
    expect(await landReady(shop.services, never)).toEqual(["FEAT-A"]);
    expect(must(await listQuestions(shop.plan, {}))).toEqual([]);
  });
});

it.each(["on", "auto"] as const)("at level %s a landing never looks as if it waited for you", async (level) => {
  const shop = await finished([fileTask("one")]);
  must(await setLevel(shop.plan, { level }));
  must(await subscribe(shop.plan, { news: ["needs-person", "landed"] }));
  if (level === "auto") await landReady(shop.services, never);
  else await shop.landed();
  const { news } = must(await readNews(shop.plan));
  expect(news.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["landed FEAT-A"]);
  expect(must(await readNews(shop.plan)).news).toEqual([]);
});

it("at level auto what is finished is no news for you before the daemon fails to land it", async () => {
  const shop = await openShop([fileTask("one")]);
  must(await setLevel(shop.plan, { level: "auto" }));
  must(await subscribe(shop.plan, { news: ["needs-person"] }));
  await shop.workThrough();
  expect(must(await readNews(shop.plan)).news).toEqual([]);
});

it("never lands again by itself what you took back: the feature asks first, until you say auto again", async () => {
  const shop = await finished([fileTask("one")]);
  must(await setLevel(shop.plan, { level: "auto" }));
  expect(await landReady(shop.services, never)).toEqual(["FEAT-A"]);
  expect(must(await undo(shop.plan, "FEAT-A-LAND"))).toMatchObject({ stillLanded: "FEAT-A", asksFirst: true });
  expect(await landReady(shop.services, never)).toEqual([]);
  expect((await shop.plan.view(LAND)).status).toBe("ready");
  must(await setLevel(shop.plan, { level: "auto", in: "FEAT-A" }));
  expect(await landReady(shop.services, never)).toEqual(["FEAT-A"]);
});

describe("what the daemon cannot land", () => {
  const inTheWay = async (): Promise<Finished & { tries(): Promise<number>; tick(): Promise<string[]> }> => {
    const shop = await finished([fileTask("one")]);
    must(await setLevel(shop.plan, { level: "auto" }));
    write(shop.repository.path, { "one.txt": "mine\n" });
    return {
      ...shop,
      tries: async () => (await shop.attempts()).filter(({ taskId }) => taskId === LAND).length,
      tick: () => {
        shop.plan.pass(61_000);
        return landReady(shop.services, never);
      },
    };
  };

  it("is tried a few times, with pauses, and then asked about once", async () => {
    const shop = await inTheWay();
    await shop.tick();
    expect(await landReady(shop.services, never)).toEqual([]);
    expect([await shop.tries(), must(await listQuestions(shop.plan, {}))]).toEqual([1, []]);
    for (let tick = 0; tick < 4; tick++) expect(await shop.tick()).toEqual([]);
    expect(await shop.tries()).toBe(3);
    const [asked, ...more] = must(await listQuestions(shop.plan, {}));
    expect([asked?.kind, asked?.context, more]).toEqual(["land", expect.stringContaining("one.txt"), []]);
    must(await answer(shop.plan, { id: asked?.id ?? "", option: "wait" }));
    for (let tick = 0; tick < 4; tick++) expect(await shop.tick()).toEqual([]);
    expect([await shop.tries(), must(await listQuestions(shop.plan, {}))]).toEqual([3, []]);
  });

  it("is asked about, though the daemon is killed right after it gave up", async () => {
    const shop = await inTheWay();
    for (let tick = 0; tick < 2; tick++) await shop.tick();
    shop.plan.pass(61_000);
    const { context } = shop.services;
    const { store } = context;
    let isDead = false;
    const commit: typeof store.commit = async (intent, decide) => {
      if (isDead) throw new Error("killed");
      const committed = await store.commit(intent, decide);
      isDead = committed.ok && committed.value.sentence.includes(`${LAND} is released`);
      return committed;
    };
    const dying = { ...store, read: store.read.bind(store), commit };
    await landReady({ ...shop.services, context: { ...context, store: dying } }, never).catch(() => undefined);
    expect([await shop.tries(), isDead]).toEqual([3, true]);
    expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ kind: "land" }]);
  });

  it("is not asked about any more once a person has cleared the way: it lands", async () => {
    const shop = await inTheWay();
    for (let tick = 0; tick < 4; tick++) expect(await shop.tick()).toEqual([]);
    const [asked] = must(await listQuestions(shop.plan, {}));
    rmSync(join(shop.repository.path, "one.txt"));
    expect(await shop.tick()).toEqual(["FEAT-A"]);
    const closed = await shop.plan.store.read((reader) => reader.item("question", asked?.id ?? ""));
    expect(closed?.fields).toMatchObject({ state: "withdrawn", withdrawnBecause: `${LAND} is done` });
  });

  it("is no endless row of attempts where the way only looks clear", async () => {
    const shop = await finished([fileTask("one")]);
    must(await setLevel(shop.plan, { level: "auto" }));
    shop.repository.commit({ "later.txt": "later\n" });
    // Missing in the checkout, as it is on the branch of the feature.
    rmSync(join(shop.repository.path, "later.txt"));
    for (let tick = 0; tick < 9; tick++) {
      shop.plan.pass(61_000);
      expect(await landReady(shop.services, never)).toEqual([]);
    }
    expect((await shop.attempts()).filter(({ taskId }) => taskId === LAND)).toHaveLength(6);
    expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ kind: "land", state: "open" }]);
  });

  it("waits when a person said so, though the way is clear", async () => {
    const shop = await inTheWay();
    for (let tick = 0; tick < 3; tick++) await shop.tick();
    const [asked] = must(await listQuestions(shop.plan, {}));
    must(await answer(shop.plan, { id: asked?.id ?? "", option: "wait" }));
    rmSync(join(shop.repository.path, "one.txt"));
    expect(await shop.tick()).toEqual([]);
  });

  it("because its set-up fails is no endless row of attempts either", async () => {
    const shop = await inTheWay();
    rmSync(join(shop.repository.path, "one.txt"));
    const services = { ...shop.services, policy: { ...shop.services.policy, setup: ["exit 7"] } };
    for (let tick = 0; tick < 5; tick++) {
      shop.plan.pass(61_000);
      expect(await landReady(services, never)).toEqual([]);
    }
    expect(await shop.tries()).toBe(3);
    expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ kind: "land" }]);
  });
});

describe("for a review host", () => {
  const withRemote = async (): Promise<Finished & { bare: string }> => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    const bare = join(shop.repository.around, "remote.git");
    gitIn(shop.repository.around, "init", "-q", "--bare", "-b", "main", "remote.git");
    shop.git("remote", "add", "hub", bare);
    shop.git("push", "-q", "hub", "main");
    return { ...shop, bare };
  };

  it("the branch is pushed, main stays, and the land task stays open", async () => {
    const shop = await withRemote();
    const main = shop.git("rev-parse", "main");
    const tip = shop.git("rev-parse", FEATURE);
    expect(await shop.landed({ pr: true, dryRun: true })).toMatchObject({
      outcome: "pushed",
      pushed: { remote: "hub" },
    });
    expect(gitIn(shop.bare, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    const landing = await shop.landed({ pr: true });
    expect(landing).toMatchObject({
      outcome: "pushed",
      pushed: { remote: "hub", branch: FEATURE, into: "main", commit: tip },
    });
    expect(gitIn(shop.bare, "rev-parse", FEATURE)).toBe(tip);
    expect(shop.git("rev-parse", "main")).toBe(main);
    expect((await shop.plan.view("FEAT-A")).status).not.toBe("done");
    expect((await shop.plan.view(LAND)).status).toBe("ready");
  });

  it.each<[string, (shop: Finished) => unknown, string]>([
    [
      "merged",
      ({ git }) => git("merge", "-q", "--no-ff", "-m", "review", FEATURE),
      "main contains the commits of all tasks (2)",
    ],
    [
      "squashed",
      ({ git }) => {
        git("merge", "-q", "--squash", FEATURE);
        git("commit", "-qm", "review");
      },
      "main has all of planwright/feature/FEAT-A in the one commit",
    ],
    [
      "rebased",
      ({ git, repository }) => {
        repository.commit({ x: "x" });
        git("cherry-pick", `main..${FEATURE}`);
      },
      "main has a commit with the same change for each",
    ],
  ])("what was %s there is proven from main, by land and by complete", async (_, deed, proof) => {
    for (const by of ["land", "complete"]) {
      const shop = await withRemote();
      await shop.landed({ pr: true });
      expect(mustFail(await complete(shop.plan, { reference: LAND })).reason).toBe("not-landed");
      deed(shop);
      const main = shop.git("rev-parse", "main");
      must<unknown>(
        by === "land" ? await landFeature(shop.person, "FEAT-A") : await complete(shop.plan, { reference: LAND }),
      );
      const view = await shop.plan.view(LAND);
      expect([view.status, view.acceptance?.reason]).toEqual(["done", expect.stringContaining(proof)]);
      expect(shop.git("rev-parse", "main")).toBe(main);
    }
  });

  it("what was merged there and not pulled yet is not merged a second time", async () => {
    const shop = await withRemote();
    await shop.landed({ pr: true });
    const main = shop.git("rev-parse", "main");
    shop.git("merge", "-q", "--squash", FEATURE);
    shop.git("commit", "-qm", "review");
    shop.git("push", "-q", "hub", "main");
    shop.git("reset", "-q", "--hard", main);
    expect(await shop.refused()).toMatchObject({ reason: "behind", details: { remote: "hub/main" } });
    expect(shop.git("rev-parse", "main")).toBe(main);
    shop.git("pull", "-q", "--ff-only", "hub", "main");
    expect(await shop.landed()).toMatchObject({ outcome: "already-landed" });
  });

  it("more work after a squash lands too, although the commits of the first landing are gone", async () => {
    const shop = await withRemote();
    shop.git("merge", "-q", "--squash", FEATURE);
    shop.git("commit", "-qm", "review");
    expect(await shop.landed()).toMatchObject({ outcome: "already-landed" });
    expect(shop.git("for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
    await addAll(shop.plan, [fileTask("three")]);
    must(await approve(shop.plan, { references: ["FEAT-A"] }));
    await shop.workThrough();
    expect(await shop.landed()).toMatchObject({ outcome: "landed", land: `${LAND}-2` });
    expect(shop.git("show", "main:three.txt")).toBe("three");
  });

  it("the daemon waits at level auto until main has it, and asks nobody", async () => {
    const shop = await withRemote();
    const main = shop.git("rev-parse", "main");
    await shop.landed({ pr: true });
    must(await setLevel(shop.plan, { level: "auto" }));
    expect(await landReady(shop.services, never)).toEqual([]);
    write(shop.repository.path, { "one.txt": "mine\n" });
    expect(await landReady(shop.services, never)).toEqual([]);
    expect([shop.git("rev-parse", "main"), must(await listQuestions(shop.plan, {}))]).toEqual([main, []]);
    rmSync(join(shop.repository.path, "one.txt"));
    shop.git("merge", "-q", "--no-ff", "-m", "review", FEATURE);
    expect(await landReady(shop.services, never)).toEqual(["FEAT-A"]);
    expect((await shop.plan.view("FEAT-A")).status).toBe("done");
  });

  it("what was pushed lands here if a person wants it to", async () => {
    const shop = await withRemote();
    await shop.landed({ pr: true });
    expect((await shop.landed()).outcome).toBe("landed");
  });

  it("a remote that is not there, or does not take it, is a refusal", async () => {
    const shop = await withRemote();
    expect(await shop.refused({ pr: true, remote: "nowhere" })).toMatchObject({
      reason: "no-remote",
      details: { remotes: ["hub"] },
    });
    writeFileSync(join(shop.bare, "hooks/pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(await shop.refused({ pr: true })).toMatchObject({ reason: "push-failed" });
  });
});
