// Workers that no sandbox confines, through whole attempts: what they do outside of their worktree is seen, however the
// attempt ends, and what the engine itself or a person does there is not held against them.

import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addAll, must } from "../../../test/plan.js";
import { type Doing, fileTask, openShop, type Shop } from "../../../test/shop.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { approve } from "../../plan/node/approve.js";
import { landFeature } from "../landing/land.js";
import { reconcile } from "../recovery/reconcile.js";
import type { EngineServices } from "../services.js";

const notices = (shop: Shop): string[] => shop.events.flatMap((event) => (event.type === "notice" ? event.text : []));

const own = ({ cwd, task }: Parameters<Doing>[0]): void =>
  writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "in its worktree\n");

const addAlias = (shop: Shop): void =>
  appendFileSync(join(shop.repository.path, ".git/config"), "[alias]\n\tst = !id\n");

/** How the one attempt ended, and what became of its task: frozen for this reason, with a question, and not tried again. */
async function endOf(shop: Shop): Promise<object> {
  const [attempt, ...more] = await shop.attempts();
  const { freeze } = await shop.plan.view("T-one");
  const blocks = must(await listQuestions(shop.plan, {})).map((asked) => asked.blocks);
  const { state, failure, note } = attempt ?? {};
  return { state, failure, note, freeze: freeze?.reason, blocks, more: more.length };
}

const frozen = (state: string, reason: string): object => ({
  state,
  failure: expect.objectContaining({ class: "architecture", action: "freeze", reason }),
  note: `${reason.slice(0, -1)}; it is frozen, and a person is asked`,
  freeze: reason,
  blocks: [["T-one"]],
  more: 0,
});

describe("a worker without a sandbox that leaves its worktree", () => {
  it("is seen when it is stopped", async () => {
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((done) => {
      begun = done;
    });
    const shop = await openShop([fileTask("one")], {
      doing: (_, { signal }) => {
        addAlias(shop);
        begun();
        return new Promise((done) => {
          signal.addEventListener("abort", () => done({ ending: "cancelled" }), { once: true });
        });
      },
    });
    const engine = shop.engine();
    must(await engine.tick());
    await hasBegun;
    await engine.stop();
    expect(await endOf(shop)).toEqual(frozen("failed", "The worker changed .git/config."));
  });

  it("is seen when its program was killed, by whoever finds that", async () => {
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((done) => {
      begun = done;
    });
    const shop = await openShop([fileTask("one")], {
      doing: () => {
        addAlias(shop);
        begun();
        return new Promise(() => undefined);
      },
    });
    must(await shop.engine().tick());
    await hasBegun;
    const next: EngineServices = { ...shop.services, process: "test/next", isAlive: () => false };
    expect((await reconcile(next, new Set())).settled).toEqual(["ATT-00001"]);
    expect(await endOf(shop)).toEqual(frozen("lost", "The worker changed .git/config."));
  });

  it("is seen when it writes what it is to change into the main checkout", async () => {
    const shop = await openShop([fileTask("one")], {
      doing: (work) => {
        own(work);
        writeFileSync(join(shop.repository.path, "one.txt"), "in the wrong place\n");
        return {};
      },
    });
    await shop.workThrough();
    expect(await endOf(shop)).toEqual(frozen("rejected", "The worker changed one.txt in the main checkout."));
  });
});

describe("not held against a worker without a sandbox", () => {
  it("is what a person changes in their checkout; it is said", async () => {
    const shop = await openShop([fileTask("one")], {
      doing: (work) => {
        own(work);
        writeFileSync(join(shop.repository.path, "notes.txt"), "a person's\n");
        writeFileSync(join(shop.repository.path, "README.md"), "changed\n");
        return {};
      },
    });
    // Dirty before, and not touched since.
    writeFileSync(join(shop.repository.path, "older.txt"), "older\n");
    await shop.workThrough();
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted"]);
    expect(notices(shop)).toEqual([expect.stringMatching(/^While ATT-00001 worked .* README\.md, notes\.txt\. If/)]);
  });

  it("is a feature that lands meanwhile", async () => {
    // What lands is what this one may change, too.
    const shop = await openShop([fileTask("one", { files: ["*.txt"] })], {
      doing: async (work) => {
        own(work);
        if (work.task.id === "T-one") must(await landFeature({ ...shop.services, context: shop.plan }, "FEAT-B"));
        return {};
      },
    });
    await addAll(shop.plan, [
      { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
      fileTask("two", { parent: "FEAT-B" }),
    ]);
    must(await approve(shop.plan, { references: ["FEAT-B"] }));
    await shop.workThrough(shop.engine({ within: "FEAT-B" }));
    await shop.workThrough();
    expect(shop.git("show", "main:two.txt")).toBe("in its worktree");
    const states = (await shop.attempts()).map(({ taskId, state }) => `${taskId} ${state}`);
    expect(states).toEqual(["T-two accepted", "T-one accepted", "FEAT-B-LAND accepted"]);
    expect(notices(shop)).toEqual([]);
  });

  it("is that no sandbox was found, which is said once", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two"), fileTask("three")], {
      policy: { sandbox: "auto" },
      doing: (work) => {
        own(work);
        return {};
      },
    });
    Object.assign(shop.services, { env: { PATH: "/nowhere" } });
    await shop.workThrough(shop.engine({ workers: 3 }));
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted", "accepted", "accepted"]);
    expect(notices(shop)).toEqual([expect.stringMatching(/^No sandbox .*bubblewrap \(bwrap\) is not installed/)]);
  });
});
