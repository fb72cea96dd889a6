// What keeps a feature from landing: whoever asks, and whenever it comes, the main branch stays as it was.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Finished, finished, LAND, never } from "../../../test/finished-feature.js";
import { addAll, must, mustFail, type TestPlan } from "../../../test/plan.js";
import { fileTask } from "../../../test/shop.js";
import { changeItem, createItem } from "../../model/item/item.js";
import { WORKSPACE_LEVEL } from "../../model/item/level.js";
import type { PlanningRun, RunStatus } from "../../model/item/planning-run.js";
import { ok } from "../../model/result.js";

import { act } from "../../plan/base/context.js";
import { setLevel } from "../../plan/level/level.js";
import { approve } from "../../plan/node/approve.js";
import { waiting } from "../../plan/overview/waiting.js";
import { drop } from "../../verbs/branch/drop.js";
import { waive } from "../../verbs/branch/waive.js";
import { redo, undo } from "../../verbs/history/take-back.js";
import { why } from "../../verbs/look/why-node.js";
import { replan } from "../../verbs/plan/replan.js";
import { completeByPerson } from "../../verbs/task/hand-in.js";

import type { EngineServices } from "../services.js";
import { landFeature } from "./land.js";
import { landFinished, landReady } from "./land-ready.js";

const story = async (plan: TestPlan, id = "STORY-2"): Promise<unknown> =>
  addAll(plan, [{ id, tier: "story", title: "Not planned yet", parent: "FEAT-A" }]);

const nrOf = async ({ store }: TestPlan, id: string): Promise<number> =>
  (await store.read((reader) => reader.byId(id)))?.nr ?? 0;

/** A planning run in the feature, or what became of it. */
const run = async (plan: TestPlan, status: RunStatus): Promise<unknown> => {
  const features = [await nrOf(plan, "FEAT-A")];
  return must(
    await act(plan, "plan", async (writer) => {
      const known = await writer.item("run", "RUN-001");
      const made = { status, node: null, features, asked: {}, title: "A plan", driver: null, createdAt: 1 };
      const changes = known
        ? changeItem(known, { status })
        : [createItem("run", "RUN-001", made as unknown as PlanningRun)];
      return ok({ sentence: `RUN-001 is ${status}`, changes, value: null });
    }),
  );
};

interface Held {
  readonly hold: (plan: TestPlan) => Promise<unknown>;
  readonly because: readonly string[];
  readonly says: RegExp;
  /** Each of them frees the feature. */
  readonly free: Readonly<Record<string, (plan: TestPlan) => Promise<unknown>>>;
}

/** The second task of STORY-1 is open when it is replanned; the first is done. */
const replanStory = async (plan: TestPlan): Promise<unknown> => {
  await addAll(plan, [fileTask("later", { parent: "STORY-1" })]);
  return must(await replan(plan, { reference: "STORY-1", reason: "too large" }));
};

const HELD: Readonly<Record<string, Held>> = {
  "a story without tasks": {
    hold: (plan) => story(plan),
    because: ["STORY-2"],
    says: /STORY-2 has no tasks\. Drop it, waive it or plan it\./,
    free: {
      drop: async (plan) => must(await drop(plan, { references: ["STORY-2"] })),
      waive: async (plan) => must(await waive(plan, { references: ["STORY-2"], reason: "not needed" })),
      undo: async (plan) => must(await undo(plan)),
    },
  },
  "an approved story without tasks": {
    hold: async (plan) => {
      await story(plan);
      must(await approve(plan, { references: ["STORY-2"] }));
    },
    because: ["STORY-2"],
    says: /STORY-2 has no tasks\./,
    free: { drop: async (plan) => must(await drop(plan, { references: ["STORY-2"] })) },
  },
  "a story whose tasks were all dropped": {
    hold: async (plan) => {
      await story(plan);
      await addAll(plan, [fileTask("gone", { parent: "STORY-2" })]);
      must(await drop(plan, { references: ["T-gone"] }));
    },
    because: ["STORY-2"],
    says: /STORY-2 has no tasks\./,
    free: { waive: async (plan) => must(await waive(plan, { references: ["STORY-2"], reason: "not needed" })) },
  },
  "a story that was replanned": {
    hold: replanStory,
    because: ["STORY-1"],
    says: /STORY-1 is to be planned again\./,
    free: {
      drop: async (plan) => must(await drop(plan, { references: ["STORY-1"] })),
      waive: async (plan) => must(await waive(plan, { references: ["STORY-1"], reason: "enough" })),
    },
  },
  "a replanned story in which an agent added work and dropped it again": {
    hold: async (plan) => {
      await replanStory(plan);
      await addAll(plan.as("agent:eve"), [fileTask("new", { parent: "STORY-1" })]);
      must(await drop(plan.as("agent:eve"), { references: ["T-new"] }));
    },
    because: ["STORY-1"],
    says: /STORY-1 is to be planned again\./,
    free: { drop: async (plan) => must(await drop(plan, { references: ["STORY-1"] })) },
  },
  "a replan of the feature itself": {
    hold: async (plan) => {
      await story(plan);
      must(await replan(plan, { reference: "FEAT-A", reason: "too large" }));
    },
    because: ["FEAT-A"],
    says: /FEAT-A is to be planned again\./,
    free: { drop: async (plan) => must(await drop(plan, { references: ["FEAT-A"] })) },
  },
  "a planning run": {
    hold: (plan) => run(plan, "running"),
    because: ["RUN-001"],
    says: /RUN-001 is planning it\./,
    free: { "its end": (plan) => run(plan, "finished"), "an abort": (plan) => run(plan, "aborted") },
  },
  "a plan that waits for approval": {
    hold: (plan) => run(plan, "ready"),
    because: ["RUN-001"],
    says: /RUN-001 is planning it\./,
    free: { "its end": (plan) => run(plan, "finished") },
  },
};

/** FEAT-A with STORY-1, in which everything is done. */
const whole = (): Promise<Finished> =>
  finished([{ id: "STORY-1", tier: "story", title: "One", parent: "FEAT-A" }, fileTask("one", { parent: "STORY-1" })]);

const mainOf = ({ git }: Pick<Finished, "git">): string => git("rev-parse", "main");

/** What every door says about landing FEAT-A: refused by each of them, and nothing moved. */
async function expectHeld(shop: Finished, { because, says }: Held): Promise<void> {
  const [main, before] = [mainOf(shop), shop.everything()];
  for (const options of [{}, { dryRun: true }, { pr: true }, { dryRun: true, pr: true }]) {
    const refused = mustFail(await landFeature(shop.person, "FEAT-A", options));
    expect(refused).toMatchObject({ reason: "tasks-open", details: { open: because } });
    expect(refused.message).toMatch(says);
  }
  expect(must(await landFinished(shop.person, undefined, new Map(), never))).toEqual([]);
  expect(await landReady(shop.services, never)).toEqual([]);
  const land = (await shop.plan.store.read((reader) => reader.byId(LAND))) ?? null;
  expect(land && mustFail(await completeByPerson(shop.plan, land)).message).toMatch(says);
  const explained = must(await why(shop.plan, LAND));
  expect(explained).toMatchObject({ status: "blocked", reason: "deps-pending", because });
  expect(explained.chain[0]?.sentences.join(" ")).toMatch(says);
  const { entries } = must(await waiting(shop.plan));
  expect(entries.filter(({ kind }) => kind === "landing")).toEqual([]);
  expect(mainOf(shop)).toBe(main);
  expect(shop.everything()).toEqual(before);
}

describe("half a feature cannot land", () => {
  const cases = Object.entries(HELD).flatMap(([what, held]) =>
    Object.entries(held.free).map(([how, free]) => [what, how, held, free] as const),
  );

  it.each(cases)("beside %s, until %s frees it: then the daemon lands it at level auto", async (_, __, held, free) => {
    const shop = await whole();
    must(await setLevel(shop.plan, { level: "auto" }));
    await held.hold(shop.plan);
    await expectHeld(shop, held);
    await free(shop.plan);
    expect(await landReady(shop.services, never)).toEqual(["FEAT-A"]);
    expect((await shop.plan.view(LAND)).status).toBe("done");
    expect((await shop.plan.store.verify()).differences).toEqual([]);
  });

  it("by a redo of its landing either", async () => {
    const shop = await whole();
    const { op } = await shop.landed();
    must(await undo(shop.plan, String(op)));
    await story(shop.plan);
    expect(mustFail(await redo(shop.plan, op ?? 0)).message).toContain("stays open as long as something in FEAT-A is");
  });
});

describe("while a landing runs, the main branch cannot move", () => {
  const during = (shop: Finished, what: () => Promise<unknown>): EngineServices => {
    let done: Promise<unknown> | undefined;
    return {
      ...shop.person,
      onEvent: (event) => {
        if (event.type === "line") done ??= what();
      },
    };
  };

  it.each(Object.entries(HELD))("once there is %s", async (_, held) => {
    const shop = await whole();
    const main = mainOf(shop);
    const refused = mustFail(
      await landFeature(
        during(shop, () => held.hold(shop.plan)),
        "FEAT-A",
      ),
    );
    expect(refused).toMatchObject({ reason: "tasks-open", details: { open: held.because } });
    expect(refused.message).toMatch(held.says);
    expect(mainOf(shop)).toBe(main);
    expect(shop.git("for-each-ref", "refs/planwright/landing")).toBe("");
    expect((await shop.plan.view(LAND)).status).toBe("blocked");
    expect((await shop.attempts()).at(-1)).toMatchObject({ state: "released", failure: null });
    const free = Object.values(held.free)[0];
    await free?.(shop.plan);
    expect((await shop.landed()).outcome).toBe("landed");
  });
});

const readLevel = ({ store }: TestPlan): Promise<string> =>
  store.read(async (reader) => (await reader.item("level", WORKSPACE_LEVEL))?.fields.level ?? "off");

describe("whatever happens to a plan", () => {
  const VERBS: Readonly<Record<string, (plan: TestPlan) => Promise<unknown>>> = {
    story: (plan) => story(plan, `STORY-${Math.random().toString(36).slice(2)}`),
    run: (plan) => run(plan, "running"),
    end: (plan) => run(plan, "finished"),
    drop: async (plan) => {
      const open = await plan.store.read(async (reader) => reader.children((await reader.byId("FEAT-A"))?.nr ?? 0));
      const empty = open.find(({ tier, live, outcome }) => tier === "story" && live === 0 && outcome === null);
      return empty && drop(plan, { references: [empty.id] });
    },
    replan: (plan) => replan(plan, { reference: "FEAT-A", reason: "again" }),
    "give up": (plan) => drop(plan, { references: ["FEAT-A"] }),
    undo: (plan) => undo(plan),
  };

  it("main moves only if the feature may land", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(VERBS)), { minLength: 1, maxLength: 6 }),
        async (verbs) => {
          const shop = await whole();
          must(await setLevel(shop.plan, { level: "auto" }));
          for (const verb of verbs) {
            await VERBS[verb]?.(shop.plan);
            const holds = await shop.plan.store.read(async (reader) => {
              const feature = await reader.byId("FEAT-A");
              return feature ? reader.landing(feature) : [];
            });
            const main = mainOf(shop);
            const landed = await landReady(shop.services, never);
            // An undo may take back the level, too.
            const may = holds.length === 0 && (await readLevel(shop.plan)) === "auto";
            expect([verb, landed.length > 0]).toEqual([verb, may]);
            expect([verb, mainOf(shop) !== main]).toEqual([verb, may]);
            if (landed.length > 0) return;
          }
        },
      ),
      { numRuns: 5 },
    );
  });
});
