import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask as askFor } from "../../../test/ask.js";
import { addAll, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { spelled } from "../../../test/spelled.js";
import { makeSpied } from "../../../test/spy.js";
import { finish, inFolder, makeApprovedPlan, passing } from "../../../test/work.js";
import { ok } from "../../model/result.js";
import { createStore } from "../../store/open/create.js";
import { openStore } from "../../store/open/open.js";
import { drop } from "../../verbs/branch/drop.js";
import { releaseClaim } from "../../verbs/claim/release.js";
import { undo } from "../../verbs/history/take-back.js";
import { waitForNews } from "../../verbs/news/read.js";
import { unsubscribe } from "../../verbs/news/unsubscribe.js";
import { complete } from "../../verbs/task/hand-in.js";
import { answer } from "../answer/answer.js";
import { act } from "../base/context.js";
import { start } from "../claim/start.js";
import { renewClaim } from "../claim/token.js";
import { approve } from "../node/approve.js";

import { type NewQuestion, raise } from "../question/raise.js";
import { markNews, readNews } from "./read-news.js";
import { listSubscriptions, subscribe } from "./subscribe.js";

/** `ready T-2`, `claimed T-1 ×2`: the news, briefly. */
async function news(plan: TestPlan, options: { peek?: boolean } = {}): Promise<string[]> {
  const found = must(await readNews(plan, options));
  return found.news.map(({ kind, id, times }) => `${kind} ${id}${times === 1 ? "" : ` ×${times}`}`);
}

const operations = (plan: TestPlan): Promise<number> =>
  plan.store.read(async (reader) => (await reader.operations({ limit: 1 }))[0]?.op ?? 0);

const ask = (plan: TestPlan, question: Partial<NewQuestion>): Promise<unknown> =>
  act(plan.as("daemon:host"), "attempt", async (writer, at) => {
    const asked = { kind: "rejected", question: "What now?", owner: "ATT-00001", ...question } as const;
    const { changes } = await raise(writer, asked, { by: "daemon:host", at });
    return ok({ sentence: "asked", changes, value: null });
  });

describe("subscribing", () => {
  it("twice is one subscription, told once, and the second look is empty", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { dependsOn: ["T-1"] })]);
    expect(must(await subscribe(plan, {}))).toMatchObject({ isNew: true, subscription: { id: "SUB-001" } });
    expect(must(await subscribe(plan, {}))).toMatchObject({ op: null, isNew: false, subscription: { id: "SUB-001" } });
    expect(must(await listSubscriptions(plan))).toHaveLength(1);
    expect(await news(plan)).toEqual([]);
    await finish(plan, "T-1");
    expect(await news(plan)).toEqual(["claimed T-1", "completed T-1", "ready T-2"]);
    expect(await news(plan)).toEqual([]);
  });

  it("again with other news changes what is told", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    must(await subscribe(plan, {}));
    const again = must(await subscribe(plan, { news: ["completed", "ready"] }));
    expect(again).toMatchObject({ isNew: false, subscription: { id: "SUB-001", news: ["ready", "completed"] } });
    await finish(plan, "T-1");
    expect(await news(plan)).toEqual(["completed T-1"]);
  });

  it("starts silently, and says what it can be about", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2")]);
    await finish(plan, "T-1");
    expect(must(await readNews(plan))).toMatchObject({ isSubscribed: false, news: [], ended: [] });
    must(await subscribe(plan, { reference: "T-2" }));
    expect(await news(plan)).toEqual([]);
    expect(mustFail(await subscribe(plan, { reference: "T-1" })).reason).toBe("settled");
    expect(spelled(mustFail(await subscribe(plan, { reference: "STORY-A" })))).toEqual([
      "planwright news subscribe FEAT-A",
    ]);
    expect(mustFail(await subscribe(plan, { reference: "MISSION" }))).toMatchObject({ reason: "no-scope" });
    expect(mustFail(await askFor(plan, "news.subscribe", { news: ["finished" as "ready"] })).message).toContain(
      "needs-person",
    );
  });
});

describe("the inbox", () => {
  it("tells what became ready, which no row of the log says (weakness 4.5.3)", async () => {
    const plan = await makeApprovedPlan([
      { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" },
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-B", dependsOn: ["FEAT-A"] },
      passing("T-1"),
      task("T-2", { dependsOn: ["T-1"] }),
      passing("B-1", { parent: "STORY-B" }),
    ]);
    must(await subscribe(plan.as("agent:bot"), { news: ["ready", "needs-person", "landed"] }));
    await finish(plan, "T-1");
    expect(await news(plan.as("agent:bot"))).toEqual(["ready T-2"]);
    const { token } = must(await start(plan, { reference: "T-2" }));
    must(await complete(plan, { reference: "T-2", token }));
    expect(await news(plan.as("agent:bot"))).toEqual(["needs-person T-2"]);
    must(await (await import("../claim/settle-tasks.js")).accept(plan, { references: ["T-2"], reason: "fine" }));
    expect(await news(plan.as("agent:bot"))).toEqual(["needs-person FEAT-A-LAND"]);
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect((await news(plan.as("agent:bot"))).sort()).toEqual(["landed FEAT-A", "ready B-1"]);
  });

  it("has one line for each node and kind, the latest, with how often", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    must(await subscribe(plan, {}));
    for (const actor of ["agent:a", "agent:b"]) {
      const worker = plan.as(actor);
      const { token } = must(await start(worker, { reference: "T-1" }));
      must(await renewClaim(worker, { reference: "T-1", token }));
      must(await releaseClaim(worker, { reference: "T-1", token }));
    }
    const [claimed, ready] = must(await readNews(plan)).news;
    expect(claimed).toMatchObject({ kind: "claimed", id: "T-1", times: 2, by: "agent:b", detail: "by agent:b" });
    expect(ready).toMatchObject({ kind: "ready", id: "T-1", times: 2, by: "agent:b", title: "Task T-1" });
  });

  it("tells of questions, to whom they concern", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2")]);
    must(await subscribe(plan, { reference: "T-1" }));
    must(await subscribe(plan.as("human:bob"), { reference: "FEAT-A" }));
    must(await subscribe(plan.as("human:eve"), {}));
    await ask(plan, { blocks: ["T-2"] });
    await ask(plan, { question: "Which way?", owner: "RUN-001" });
    expect(await news(plan)).toEqual([]);
    expect(await news(plan.as("human:bob"))).toEqual(["needs-person ESC-001"]);
    expect(await news(plan.as("human:eve"))).toEqual(["needs-person ESC-001", "needs-person ESC-002"]);
    const { op } = must(await answer(plan, { id: "ESC-001", option: "go on" }));
    expect(await news(plan.as("human:eve"))).toEqual([]);
    must(await undo(plan, String(op)));
    expect(must(await readNews(plan.as("human:eve"))).news).toMatchObject([
      { kind: "needs-person", id: "ESC-001", title: "What now?", detail: "it holds up T-2" },
    ]);
  });

  it("is not emptied by a peek, and writes nothing when there is nothing to tell", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    must(await subscribe(plan, { news: ["completed"] }));
    await finish(plan, "T-1");
    const before = await operations(plan);
    expect(await news(plan, { peek: true })).toEqual(["completed T-1"]);
    expect(await news(plan, { peek: true })).toEqual(["completed T-1"]);
    expect(await operations(plan)).toBe(before);
    expect(await news(plan)).toEqual(["completed T-1"]);
    expect(await operations(plan)).toBe(before + 1);
    for (let i = 0; i < 3; i++) expect(await news(plan)).toEqual([]);
    expect(await operations(plan)).toBe(before + 1);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("is old only once somebody says that it was told", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    must(await subscribe(plan, { news: ["completed"] }));
    await finish(plan, "T-1");
    const shown = must(await readNews(plan, { peek: true }));
    // Whoever died before it said so has lost nothing.
    expect([shown.news.length, must(await readNews(plan, { peek: true })).news.length]).toEqual([1, 1]);
    must(await markNews(plan, shown.unmarked ?? { upTo: 0 }));
    expect(must(await readNews(plan, { peek: true })).news).toEqual([]);
    expect(must(await markNews(plan, shown.unmarked ?? { upTo: 0 })).op).toBeNull();
  });

  it("is nobody's to take back, and stands in nobody's way", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const { op } = must(await subscribe(plan, {}));
    await finish(plan, "T-1");
    const told = must(await readNews(plan)).op;
    expect(mustFail(await undo(plan, String(told))).reason).toBe("upkeep");
    must(await undo(plan, String(op)));
    expect(must(await readNews(plan))).toMatchObject({ isSubscribed: false, news: [], ended: [] });
  });

  it("tells each of several at once their share, and one actor each thing once", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    for (const input of [{}, { reference: "FEAT-A" }, { reference: "T-1" }]) must(await subscribe(plan, input));
    await finish(plan, "T-1");
    const looks = await Promise.all([1, 2, 3, 4].map(() => readNews(plan)));
    const all = looks.flatMap((look) => must(look).news.map(({ kind, id }) => `${kind} ${id}`));
    expect(all.sort()).toEqual(["claimed T-1", "completed T-1", "needs-person FEAT-A-LAND"]);
  });

  it("says when a subscription has come to its end, once", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3")]);
    for (const reference of ["T-1", "T-2", "FEAT-A"]) must(await subscribe(plan, { reference, news: ["landed"] }));
    await finish(plan, "T-1");
    must(await drop(plan, { references: ["T-2"] }));
    expect(must(await readNews(plan)).ended).toEqual([
      { id: "SUB-001", target: "T-1", because: "done" },
      { id: "SUB-002", target: "T-2", because: "dropped" },
    ]);
    expect(must(await readNews(plan)).ended).toEqual([]);
    await finish(plan, "T-3");
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect(must(await readNews(plan))).toMatchObject({
      news: [{ kind: "landed", id: "FEAT-A" }],
      ended: [{ id: "SUB-003", target: "FEAT-A", because: "done" }],
    });
    expect(must(await readNews(plan))).toMatchObject({ isSubscribed: false, news: [], ended: [] });
    const added = await addAll(plan, [task("T-9", { parent: "STORY-A" })]);
    const op = await operations(plan);
    must(await subscribe(plan, { reference: added[0] as string }));
    must(await undo(plan, String(op)));
    expect(must(await readNews(plan)).ended).toMatchObject([{ because: "taken back" }]);
  });

  it("comes in parts when there is much, and the parts are all of it", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { dependsOn: ["T-1"] })]);
    must(await subscribe(plan, {}));
    await finish(plan, "T-1", "T-2");
    const whole = must(await readNews(plan, { peek: true }));
    const parts: string[] = [];
    for (let left = whole.news.length; left > 0; ) {
      const { news: shown, more } = must(await readNews(plan, { limit: 2 }));
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.length + more).toBe(left);
      parts.push(...shown.map(({ kind, id }) => `${kind} ${id}`));
      left = more;
    }
    expect(parts).toEqual(whole.news.map(({ kind, id }) => `${kind} ${id}`));
    expect(await news(plan)).toEqual([]);
  });

  it("shows a part of one operation that makes more news than the limit, and counts the rest", async () => {
    const plan = await makePlan([passing("T-1"), passing("T-2"), passing("T-3")]);
    must(await subscribe(plan, {}));
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(must(await readNews(plan, { limit: 2 }))).toMatchObject({ news: [{ id: "T-1" }, { id: "T-2" }], more: 1 });
    expect(await news(plan)).toEqual([]);
  });

  it("costs what happened, not what there is", async () => {
    const costs: number[] = [];
    for (const tasks of [20, 400]) {
      const { spy, plan } = await makeSpied();
      await addAll(plan, [
        { id: "MISSION", tier: "mission", title: "M" },
        { id: "FEAT-A", tier: "feature", title: "A", parent: "MISSION" },
        { id: "STORY-A", tier: "story", title: "A", parent: "FEAT-A" },
        passing("T-1"),
        passing("T-2", { dependsOn: ["T-1"] }),
        ...Array.from({ length: tasks }, (_, i) => passing(`X-${i}`, { dependsOn: ["T-2"] })),
      ]);
      const there: TestPlan = inFolder(plan);
      must(await approve(there, { references: ["MISSION"] }));
      must(await subscribe(there, {}));
      await finish(there, "T-1");
      spy.forget();
      expect(await news(there)).toEqual(["claimed T-1", "completed T-1", "ready T-2"]);
      costs.push(spy.rows);
      expect((await spy.plans()).filter((step) => /^SCAN (node|operation|change|item)/.test(step))).toEqual([]);
    }
    expect(costs[1]).toBe(costs[0]);
  });
});

describe("unsubscribing", () => {
  it("ends one's own, and nobody else's", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const bob = plan.as("human:bob");
    for (const reference of ["T-1", "FEAT-A"]) must(await subscribe(plan, { reference }));
    must(await subscribe(plan, {}));
    must(await subscribe(bob, {}));
    expect(must(await unsubscribe(plan, { reference: "t-1" })).ended).toMatchObject([
      { target: "T-1", state: "ended" },
    ]);
    expect(must(await unsubscribe(plan, {})).ended).toMatchObject([{ target: null }]);
    expect(mustFail(await unsubscribe(plan, {})).reason).toBe("not-subscribed");
    expect(mustFail(await unsubscribe(plan, { reference: "T-1" })).reason).toBe("not-subscribed");
    expect(must(await unsubscribe(plan, { reference: "sub-2" })).ended).toMatchObject([{ target: "FEAT-A" }]);
    expect(mustFail(await unsubscribe(plan, { all: true })).reason).toBe("not-subscribed");
    expect(must(await listSubscriptions(bob))).toHaveLength(1);
    expect(must(await unsubscribe(bob, { all: true })).ended).toHaveLength(1);
  });

  it("can be taken back, and then nothing was missed", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    must(await subscribe(plan, { news: ["completed"] }));
    const { op } = must(await unsubscribe(plan, {}));
    await finish(plan, "T-1");
    must(await undo(plan, String(op)));
    expect(await news(plan)).toEqual(["completed T-1"]);
  });
});

describe("waiting", () => {
  async function inFile(): Promise<{ here: TestPlan; there: TestPlan }> {
    const folder = mkdtempSync(join(tmpdir(), "planwright-wait-"));
    const options = { path: join(folder, "plan.db"), durability: "normal", engine: "auto" } as const;
    const template = await makePlan();
    const here = { ...template, store: (await createStore(options)).store };
    const there = { ...template, actor: "human:bob", store: await openStore(options) };
    onTestFinished(async () => {
      await Promise.all([here.store.close(), there.store.close()]);
      rmSync(folder, { recursive: true });
    });
    await addAll(here, [
      { id: "MISSION", tier: "mission", title: "M" },
      { id: "FEAT-A", tier: "feature", title: "A", parent: "MISSION" },
      task("T-1", { parent: "FEAT-A" }),
    ]);
    must(await subscribe(here, {}));
    return { here, there };
  }

  it("ends when somebody else makes news", async () => {
    const { here, there } = await inFile();
    const waiting = waitForNews(here, { peek: false, signal: new AbortController().signal });
    must(await approve(there, { references: ["MISSION"] }));
    expect(must(await waiting)).toMatchObject({ interrupted: false, news: [{ kind: "ready", id: "T-1" }] });
  });

  it("ends when nobody wants to wait, and what comes later is not lost", async () => {
    const { here, there } = await inFile();
    const controller = new AbortController();
    const waiting = waitForNews(here, { peek: false, signal: controller.signal });
    controller.abort();
    expect(must(await waiting)).toMatchObject({ interrupted: true, news: [] });
    must(await approve(there, { references: ["MISSION"] }));
    const later = must(await waitForNews(here, { peek: true, signal: controller.signal }));
    expect(later.news.map(({ id }) => id)).toEqual(["T-1"]);
    must(await unsubscribe(here, {}));
    expect(mustFail(await waitForNews(here, { peek: true, signal: controller.signal })).reason).toBe("not-subscribed");
  });
});
