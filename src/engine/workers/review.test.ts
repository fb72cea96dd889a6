import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { NO_USAGE, type ReviewFinding } from "../../model/attempt/attempt.js";
import type { Node } from "../../model/node/node.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { showAttempt } from "../../plan/attempt/list-attempts.js";
import type { Reviewer, ReviewInput } from "../services.js";
import { reviewSession } from "./reviewer.js";

const finding = (severity: ReviewFinding["severity"]): ReviewFinding => ({
  severity,
  file: "one.txt",
  line: 1,
  what: "It says one secret thing",
});

const redact = (text: string): string => text.replaceAll("secret", "[hidden]");

/** T-one and T-two are done; T-look reviews both. */
async function openReview(findings: readonly ReviewFinding[]): Promise<{ shop: Shop; seen: ReviewInput[] }> {
  const seen: ReviewInput[] = [];
  const serious = findings.some(({ severity }) => severity === "high");
  const reviewer: Reviewer = {
    name: "critic",
    review: async (look) => {
      seen.push(look);
      return { wrong: serious ? "one.txt is wrong" : null, findings, usage: NO_USAGE };
    },
  };
  const look = fileTask("look", {
    kind: "review",
    body: "Do they add up?",
    files: [],
    dependsOn: ["T-one", "T-two"],
    checks: [{ run: "true" }],
  });
  const shop = await openShop([fileTask("one"), fileTask("two"), look]);
  const { workerFor } = shop.services;
  Object.assign(shop.services, {
    workerFor: async (task: Node) => {
      if (task.kind !== "review") return workerFor(task);
      const links = await shop.plan.store.read((reader) => reader.dependencies(task));
      const commits = links.map(({ target }) => target.report?.commit ?? "");
      return {
        as: { kind: "agent", name: "critic", model: null },
        begin: async (work: Parameters<typeof reviewSession>[0]) =>
          reviewSession(work, reviewer, { commits, now: () => 1, redact }),
      };
    },
  });
  return { shop, seen };
}

const lastAttempt = async (shop: Shop) => must(await showAttempt(shop.plan, { id: "ATT-00003" }));

describe("a review task", () => {
  it("goes to a reviewer with the commits of all that it waits for, and its findings are kept", async () => {
    const { shop, seen } = await openReview([finding("low")]);
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.commits).toEqual([
      (await shop.plan.view("T-one")).report?.commit,
      (await shop.plan.view("T-two")).report?.commit,
    ]);
    expect(seen[0]?.bundle).toContain("Do they add up?");
    expect(await lastAttempt(shop)).toMatchObject({
      task: "T-look",
      state: "accepted",
      reviews: [{ by: "critic", missing: null, findings: [{ severity: "low", what: "It says one [hidden] thing" }] }],
    });
  });

  it("is rejected with a question when a finding is serious", async () => {
    const { shop } = await openReview([finding("high")]);
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect((await shop.plan.view("T-look")).status).toBe("rejected");
    expect(await lastAttempt(shop)).toMatchObject({ state: "failed", reviews: [{ findings: [{ severity: "high" }] }] });
    expect(must(await listQuestions(shop.plan, {}))).toMatchObject([{ blocks: ["T-look"] }]);
  });
});

describe("a review before acceptance", () => {
  it("keeps what was found with the attempt, serious or not", async () => {
    const shop = await openShop([fileTask("one")], {
      reviewer: async () => ({
        name: "critic",
        review: async () => ({ wrong: null, findings: [finding("medium")], usage: NO_USAGE }),
      }),
    });
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect(must(await showAttempt(shop.plan, { id: "ATT-00001" }))).toMatchObject({
      state: "accepted",
      reviews: [{ by: "critic", findings: [{ severity: "medium", file: "one.txt" }] }],
    });
  });
});
