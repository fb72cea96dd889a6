import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, handingIn, openShop, type Shop, type ShopOptions } from "../../../test/shop.js";
import { attemptBranch } from "../../machine/git/refs.js";
import { ATTEMPT_STATES, type Attempt, canHandIn, hasEnded, NO_USAGE } from "../../model/attempt/attempt.js";
import { changeItem } from "../../model/item/item.js";
import { ok, type Result } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import type { Assignment } from "../../plan/claim/assignment.js";
import { complete } from "../../verbs/task/hand-in.js";
import { next } from "../../verbs/task/next.js";
import { reconcile } from "../recovery/reconcile.js";
import type { EngineServices, Reviewer, ReviewInput } from "../services.js";
import { beginByHand } from "./begin-hand-work.js";
import { finishByHand } from "./end-hand-work.js";
import type { Completion } from "./hand-in.js";

const AGENT = "agent:coder";
const FEATURE = "planwright/feature/FEAT-A";
const { signal } = new AbortController();
const MIDDLE = ATTEMPT_STATES.filter((state) => !hasEnded(state));

const open = (options: ShopOptions = {}): Promise<Shop> =>
  openShop([fileTask("one")], { policy: { fixes: 9 }, ...options });

const asAgent = (shop: Shop): EngineServices => ({ ...shop.services, context: shop.plan.as(AGENT) });

const write = (folder: string, name = "one.txt"): void => writeFileSync(join(folder, name), `${name}\n`);

async function claim(shop: Shop): Promise<Assignment> {
  return must(await next(shop.plan.as(AGENT), {}))[0] as Assignment;
}

function handIn(
  shop: Shop,
  { task, token }: Assignment,
  { tokens, ...over }: Partial<EngineServices> & { tokens?: number } = {},
  stop = signal,
): Promise<Result<Completion>> {
  const services = { ...asAgent(shop), ...over };
  const input = { reference: task.id, token, ...(tokens !== undefined && { tokens }) };
  return complete(handingIn(services, stop), input);
}

/** As a program leaves it that is killed at this moment. */
async function leave(shop: Shop, fields: Partial<Attempt>): Promise<void> {
  const { context } = shop.services;
  must(
    await act(context, "attempt", async (writer) => {
      const [item] = await writer.items("attempt", {});
      return ok({ sentence: "killed", changes: item ? changeItem(item, fields) : [], value: null });
    }),
  );
}

const reviewedBy = (review: Reviewer["review"]): ShopOptions => ({
  reviewer: async () => ({ name: "critic", review }),
});

/** One part of a test waits for another. */
function signalled(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined;
  const given = new Promise<void>((done) => {
    give = done;
  });
  return { given, give };
}

const finds = { wrong: null, findings: [], usage: { ...NO_USAGE, inputTokens: 70 } };

describe("a program that is killed leaves no attempt that gets stuck:", () => {
  it.each(MIDDLE)("complete works after one that was killed while %s", async (state) => {
    const shop = await open();
    const claimed = await claim(shop);
    write(shop.plan.root, "other.txt");
    expect(must(await handIn(shop, claimed)).acceptance).toBe("open");
    await leave(shop, { state, driver: "test/dead" });
    write(shop.plan.root);
    expect(must(await handIn(shop, claimed))).toMatchObject({ acceptance: "accepted", attempt: "ATT-00001" });
    expect(await shop.attempts()).toMatchObject([{ state: "accepted", handIns: 2 }]);
  });

  it.each(MIDDLE.filter(canHandIn))("work done works after one that was killed while %s", async (state) => {
    const shop = await open();
    const services = asAgent(shop);
    write(must(await beginByHand(services, { reference: "T-one" }, signal)).worktree);
    await leave(shop, { state, driver: "test/dead" });
    expect(must(await finishByHand(services, { reference: "T-one" }, signal))).toMatchObject({ state: "accepted" });
    expect(await shop.attempts()).toMatchObject([{ state: "accepted", handIns: 1 }]);
  });

  it.each(MIDDLE.filter((state) => !canHandIn(state)))(
    "work starts again after one that was killed while %s",
    async (state) => {
      const shop = await open();
      const services = asAgent(shop);
      must(await beginByHand(services, { reference: "T-one" }, signal));
      await leave(shop, { state, driver: "test/dead" });
      const failure = mustFail(await finishByHand(services, { reference: "T-one" }, signal));
      expect(failure).toMatchObject({ reason: "not-prepared", next: [{ operation: "work.start" }] });
      write(must(await beginByHand(services, { reference: "T-one" }, signal)).worktree);
      expect(must(await finishByHand(services, { reference: "T-one" }, signal))).toMatchObject({ state: "accepted" });
      expect((await shop.attempts()).at(-1)).toMatchObject({ state: "accepted" });
    },
  );

  it.each(MIDDLE)("run takes the task up again after one that was killed while %s", async (state) => {
    const shop = await open();
    must(await beginByHand({ ...shop.services, context: shop.plan.as("daemon:test") }, { reference: "T-one" }, signal));
    await leave(shop, { state, driver: "test/dead", worker: { kind: "shell", name: "shell", model: null } });
    await reconcile({ ...shop.services, isAlive: () => false }, new Set());
    expect((await shop.attempts())[0]?.state).toBe("lost");
    await shop.workThrough();
    expect((await shop.attempts()).at(-1)?.state).toBe("accepted");
  });

  it("complete works after one that kept the work and was killed before it wrote down how it ended", async () => {
    const shop = await open();
    const claimed = await claim(shop);
    write(shop.plan.root, "other.txt");
    must(await handIn(shop, claimed));
    await leave(shop, { state: "reviewing" });
    shop.git("update-ref", "-d", attemptBranch("ATT-00001"));
    write(shop.plan.root);
    expect(must(await handIn(shop, claimed)).acceptance).toBe("accepted");
  });

  it("work done works after one that kept the work and was killed before it wrote down how it ended", async () => {
    const shop = await open();
    const services = asAgent(shop);
    write(must(await beginByHand(services, { reference: "T-one" }, signal)).worktree);
    await leave(shop, { state: "reviewing" });
    shop.git("update-ref", "-d", attemptBranch("ATT-00001"));
    expect(must(await finishByHand(services, { reference: "T-one" }, signal)).state).toBe("accepted");
    expect(shop.git("show", "--format=", "--name-only", FEATURE)).toBe("one.txt");
  });
});

describe("a review that fails", () => {
  it("leaves the attempt with its worker if the hand-in itself breaks, and the next one works", async () => {
    const shop = await open(
      reviewedBy(async () => {
        throw new Error("the disk is full");
      }),
    );
    const claimed = await claim(shop);
    write(shop.plan.root);
    const failure = mustFail(await handIn(shop, claimed));
    expect(failure.message).toBe("T-one could not be handed in: the disk is full. You keep your claim.");
    expect((await shop.attempts())[0]).toMatchObject({ state: "working", slot: null, note: "the disk is full" });
    expect(must(await handIn(shop, claimed, { reviewerFor: async () => null })).acceptance).toBe("accepted");
  });

  it("does the same to work in a worktree, which stays", async () => {
    const shop = await open(
      reviewedBy(async () => {
        throw new Error("the disk is full");
      }),
    );
    const services = asAgent(shop);
    const { worktree } = must(await beginByHand(services, { reference: "T-one" }, signal));
    write(worktree);
    expect(mustFail(await finishByHand(services, { reference: "T-one" }, signal)).reason).toBe("broken");
    expect((await shop.attempts())[0]).toMatchObject({ state: "working", worktree });
    const calm = { ...services, reviewerFor: async () => null };
    expect(must(await finishByHand(calm, { reference: "T-one" }, signal)).state).toBe("accepted");
  });

  it("keeps the claim if it is stopped, and does not count as a failed check", async () => {
    const stop = new AbortController();
    const shop = await open(
      reviewedBy(async () => {
        stop.abort();
        return { ...finds, missing: "cancelled" };
      }),
    );
    const claimed = await claim(shop);
    write(shop.plan.root);
    expect(mustFail(await handIn(shop, claimed, {}, stop.signal)).message).toContain("You keep your claim.");
    expect((await shop.attempts())[0]).toMatchObject({ state: "working", rounds: 0 });
    expect((await shop.plan.view("T-one")).claim?.by).toBe(AGENT);
  });
});

describe("a review of a hand-in", () => {
  it("gets the task and the change, and never a file without a name", async () => {
    const seen: ReviewInput[] = [];
    const shop = await open(
      reviewedBy(async (look) => {
        seen.push(look);
        return finds;
      }),
    );
    const claimed = await claim(shop);
    write(shop.plan.root);
    must(await handIn(shop, claimed));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.bundle).toContain("# T-one: Make one");
    expect(seen[0]?.bundle).toContain("test -f one.txt");
    expect(seen[0]?.transcript).toBe(join(shop.plan.root, ".planwright/transcripts/ATT-00001.jsonl"));
  });

  it("gets the task as it was approved last, also from a worktree that was begun before", async () => {
    const seen: ReviewInput[] = [];
    const shop = await open(
      reviewedBy(async (look) => {
        seen.push(look);
        return finds;
      }),
    );
    const services = asAgent(shop);
    write(must(await beginByHand(services, { reference: "T-one" }, signal)).worktree);
    await leave(shop, { bundle: null });
    must(await finishByHand(services, { reference: "T-one" }, signal));
    expect(seen[0]?.bundle).toContain("# T-one: Make one");
    expect((await shop.attempts())[0]?.bundle).toBe("BUN-00001");
  });

  it("counts with what the worker says it used, however often it is handed in", async () => {
    let time = 0;
    const shop = await open(reviewedBy(async () => ({ ...finds, wrong: ++time === 1 ? "It is wrong." : null })));
    const claimed = await claim(shop);
    write(shop.plan.root);
    expect(must(await handIn(shop, claimed, { tokens: 1_000 })).acceptance).toBe("open");
    expect(must(await handIn(shop, claimed, { tokens: 1_500 })).acceptance).toBe("accepted");
    expect((await shop.attempts())[0]?.usage.inputTokens).toBe(1_500 + 2 * 70);
  });

  it("that is still going on stops when the same program hands in again", async () => {
    const review = signalled();
    const asked = signalled();
    const shop = await open(
      reviewedBy(async () => {
        asked.give();
        await review.given;
        return finds;
      }),
    );
    const claimed = await claim(shop);
    write(shop.plan.root);
    const first = handIn(shop, claimed);
    await asked.given;
    expect(must(await handIn(shop, claimed, { reviewerFor: async () => null })).acceptance).toBe("accepted");
    review.give();
    expect(mustFail(await first).reason).toBe("lease-lost");
    expect(await shop.attempts()).toMatchObject([{ state: "accepted" }]);
    expect(shop.git("log", "--format=%s", FEATURE).split("\n")).toEqual(["T-one: Make one", "begin"]);
  });
});
