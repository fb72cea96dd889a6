import { afterEach, expect, it, vi } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { accept } from "../../plan/claim/settle-tasks.js";
import { undo } from "../../verbs/history/take-back.js";
import type { EngineServices } from "../services.js";
import { integrateAccepted } from "./integrate-accepted.js";

const FEATURE = "planwright/feature/FEAT-A";

/** Work that a person accepted, and that is not on the branch yet. */
async function openAccepted(): Promise<Shop> {
  const shop = await openShop([fileTask("one", { checks: [] })]);
  await shop.workThrough();
  must(await accept(shop.plan, { references: ["T-one"], reason: "looked at it" }));
  return shop;
}

/** A program that is killed once it has written down its commit: before the branch moves, or after that. */
function doomed(services: EngineServices, when: "before" | "after"): EngineServices {
  const { context } = services;
  let commits = 0;
  const commit: typeof context.store.commit = async (...args) => {
    if (++commits > 1) throw new Error("killed");
    const committed = await context.store.commit(...args);
    if (when === "before") throw new Error("killed");
    return committed;
  };
  return withStore(services, { commit });
}

/** A program that something happens to right after it has read from the plan so many times. */
function surprised(services: EngineServices, reads: number, happens: () => Promise<void>): EngineServices {
  const { store } = services.context;
  let count = 0;
  const read: typeof store.read = async (work) => {
    const seen = await store.read(work);
    if (++count === reads) await happens();
    return seen;
  };
  return withStore(services, { read });
}

function withStore(
  { context, ...services }: EngineServices,
  part: Partial<EngineServices["context"]["store"]>,
): EngineServices {
  const { store } = context;
  const whole = { ...store, read: store.read.bind(store), commit: store.commit.bind(store), ...part };
  return { ...services, context: { ...context, store: whole } };
}

async function expectIntegrated(shop: Shop): Promise<void> {
  expect(shop.git("log", "--format=%s", FEATURE).split("\n")).toEqual(["T-one: Make one", "begin"]);
  const tip = shop.git("rev-parse", FEATURE);
  expect((await shop.plan.view("T-one")).report?.commit).toBe(tip);
  expect((await shop.attempts())[0]).toMatchObject({ state: "accepted", merged: tip, kept: null });
  expect(shop.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/planwright")).toBe(
    `refs/planwright/accepted/FEAT-A ${tip}`,
  );
}

/** A promise, and what keeps it. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

afterEach(() => vi.unstubAllEnvs());

it.each(["before", "after"] as const)(
  "is finished with its commit by the next program if the first was killed %s the branch moved",
  async (when) => {
    const shop = await openAccepted();
    await expect(integrateAccepted(doomed(shop.services, when))).rejects.toThrow("killed");
    expect((await shop.attempts())[0]?.state).toBe("pending");
    const isMoved = shop.git("rev-parse", FEATURE) !== shop.git("rev-parse", "main");
    expect(isMoved).toBe(when === "after");
    expect(await integrateAccepted(shop.services)).toEqual(["ATT-00001"]);
    await expectIntegrated(shop);
  },
);

it("is put on top of what came onto the branch after a program wrote down its commit and was killed", async () => {
  const shop = await openAccepted();
  await expect(integrateAccepted(doomed(shop.services, "before"))).rejects.toThrow("killed");
  const other = shop.git("commit-tree", "-p", FEATURE, "-m", "other", `${FEATURE}^{tree}`);
  shop.git("update-ref", `refs/heads/${FEATURE}`, other);
  expect(await integrateAccepted(shop.services)).toEqual(["ATT-00001"]);
  expect(shop.git("log", "--format=%s", FEATURE).split("\n")).toEqual(["T-one: Make one", "other", "begin"]);
  expect((await shop.attempts())[0]?.merged).toBe(shop.git("rev-parse", FEATURE));
});

// It lists what was accepted, looks at each, and asks for the branch.
it.each([1, 2, 3])(
  "has its commit written down when another program, killed since, was faster, seen after look %i",
  async (looks) => {
    const shop = await openAccepted();
    const late = surprised(shop.services, looks, () =>
      expect(integrateAccepted(doomed(shop.services, "after"))).rejects.toThrow("killed"),
    );
    expect(await integrateAccepted(late)).toEqual(["ATT-00001"]);
    await expectIntegrated(shop);
  },
);

it("has one commit written down, and one end, when another program comes between its note and its move", async () => {
  const shop = await openAccepted();
  const { store } = shop.services.context;
  const [noted, moved, settled] = [signal(), signal(), signal()];
  let second: Promise<string[]> | undefined;
  const commitSecond: typeof store.commit = async (...args) => {
    const committed = await store.commit(...args);
    noted.give();
    await moved.given;
    return committed;
  };
  const commitFirst: typeof store.commit = async (...args) => {
    if (second) {
      moved.give();
      await settled.given;
      return store.commit(...args);
    }
    const committed = await store.commit(...args);
    // Its commit would be the same one in the same second.
    vi.stubEnv("GIT_COMMITTER_DATE", "2001-01-01T00:00:00Z");
    second = integrateAccepted(withStore(shop.services, { commit: commitSecond }));
    await noted.given;
    return committed;
  };
  const first = integrateAccepted(withStore(shop.services, { commit: commitFirst }));
  await moved.given;
  expect(await second).toEqual(["ATT-00001"]);
  settled.give();
  expect(await first).toEqual([]);
  await expectIntegrated(shop);
  expect(shop.events.filter((event) => event.type === "end" && event.state === "accepted").length).toBe(1);
});

it.each([1, 2, 3])("stays off the branch if the acceptance is taken back after look %i", async (looks) => {
  const shop = await openAccepted();
  const late = surprised(shop.services, looks, async () => {
    must(await undo(shop.plan));
  });
  expect(await integrateAccepted(late)).toEqual([]);
  expect(shop.git("rev-parse", FEATURE)).toBe(shop.git("rev-parse", "main"));
  expect((await shop.attempts())[0]).toMatchObject({ state: "pending", merged: null });
});

it.each(["by the program that put it there", "by the next one, if that was killed"])(
  "comes off the branch if the acceptance is undone before the branch moves, %s",
  async (who) => {
    const shop = await openAccepted();
    const { store } = shop.services.context;
    let commits = 0;
    const commit: typeof store.commit = async (...args) => {
      if (++commits > 1 && who.includes("killed")) throw new Error("killed");
      const committed = await store.commit(...args);
      if (commits === 1) must(await undo(shop.plan));
      return committed;
    };
    const first = integrateAccepted(withStore(shop.services, { commit }));
    expect(await first.catch(() => [])).toEqual([]);
    expect(await integrateAccepted(shop.services)).toEqual([]);
    expect(shop.git("rev-parse", FEATURE)).toBe(shop.git("rev-parse", "main"));
    expect((await shop.attempts())[0]).toMatchObject({ state: "pending", merged: null });
    expect(shop.git("show", "refs/planwright/kept/ATT-00001:one.txt")).toBe("one");
    must(await accept(shop.plan, { references: ["T-one"], reason: "looked at it again" }));
    expect(await integrateAccepted(shop.services)).toEqual(["ATT-00001"]);
    await expectIntegrated(shop);
  },
);

it.each([1, 2])("is not settled if the acceptance is taken back after look %i and nothing was kept", async (looks) => {
  const shop = await openAccepted();
  shop.git("update-ref", "-d", "refs/planwright/kept/ATT-00001");
  const late = surprised(shop.services, looks, async () => {
    must(await undo(shop.plan));
  });
  expect(await integrateAccepted(late)).toEqual([]);
  expect((await shop.attempts())[0]?.state).toBe("pending");
});

it("makes no new branch if another program has integrated it since, and it has landed", async () => {
  const shop = await openAccepted();
  const late = surprised(shop.services, 1, async () => {
    expect(await integrateAccepted(shop.services)).toEqual(["ATT-00001"]);
    shop.git("merge", "--quiet", FEATURE);
    shop.git("branch", "--quiet", "--delete", FEATURE);
  });
  expect(await integrateAccepted(late)).toEqual([]);
  expect(shop.git("branch", "--list", FEATURE)).toBe("");
});

it("makes no new branch if the acceptance was taken back since", async () => {
  const shop = await openAccepted();
  shop.git("branch", "--quiet", "--delete", FEATURE);
  const late = surprised(shop.services, 1, async () => {
    must(await undo(shop.plan));
  });
  expect(await integrateAccepted(late)).toEqual([]);
  expect(shop.git("branch", "--list", FEATURE)).toBe("");
});
