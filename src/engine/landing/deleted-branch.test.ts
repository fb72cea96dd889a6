import { describe, expect, it } from "vitest";
import { FEATURE, finished, isClean, LAND } from "../../../test/finished-feature.js";
import { addAll, must } from "../../../test/plan.js";
import { fileTask, type Shop } from "../../../test/shop.js";
import { reset } from "../../plan/claim/settle-tasks.js";
import { approve } from "../../plan/node/approve.js";
import { waiting } from "../../plan/overview/waiting.js";
import { why } from "../../verbs/look/why-node.js";
import { landFeature } from "./land.js";

const ACCEPTED = "refs/planwright/accepted/FEAT-A";
const KEPT_WORDS = `The branch ${FEATURE} was deleted. Its accepted work is kept: landing FEAT-A brings it back.`;

const noticesOf = ({ events }: Pick<Shop, "events">): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : [])).filter((text) => text.includes("deleted"));

describe("a feature's branch that somebody moved away from accepted work", () => {
  it("never loses that work to the next attempt: both are on the branch, and both land", async () => {
    const shop = await finished([fileTask("one")]);
    shop.git("branch", "-f", FEATURE, "main");
    await addAll(shop.plan, [fileTask("two")]);
    must(await approve(shop.plan, { references: ["T-two"] }));
    await shop.workThrough();
    expect([shop.git("show", `${FEATURE}:one.txt`), shop.git("show", `${FEATURE}:two.txt`)]).toEqual(["one", "two"]);
    expect((await shop.landed()).tasks).toEqual(["T-one", "T-two"]);
    isClean(shop);
  });

  it("never sends you in a circle: landing brings that work back", async () => {
    const shop = await finished([fileTask("one")]);
    shop.git("branch", "-f", FEATURE, "main");
    expect((await shop.landed()).outcome).toBe("landed");
    expect(shop.git("show", "main:one.txt")).toBe("one");
  });
});

describe("a feature's branch that somebody deleted", () => {
  it("is named by why and waiting, and lands with all accepted work, even after a gc", async () => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    const tip = shop.git("rev-parse", FEATURE);
    expect(shop.git("rev-parse", ACCEPTED)).toBe(tip);
    shop.git("branch", "-D", FEATURE);
    shop.git("reflog", "expire", "--expire=now", "--all");
    shop.git("gc", "--quiet", "--prune=now");
    expect(must(await why(shop.plan, LAND)).chain[0]?.sentences).toContain(KEPT_WORDS);
    expect(must(await waiting(shop.plan)).entries[0]).toMatchObject({
      sentence: expect.stringContaining(KEPT_WORDS) as string,
      next: [
        { operation: "land", input: { reference: "FEAT-A" } },
        { operation: "status", input: { reference: "FEAT-A" } },
      ],
    });
    expect(must(await landFeature(shop.person, "FEAT-A", { dryRun: true })).outcome).toBe("would-land");
    expect(shop.git("branch", "--list", FEATURE)).toBe("");
    expect((await shop.landed()).tasks).toEqual(["T-one", "T-two"]);
    isClean(shop);
    expect(shop.git("show", "main:one.txt")).toBe("one");
    expect(shop.git("show", "main:two.txt")).toBe("two");
    expect(shop.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it("comes back with the next task of the feature", async () => {
    const shop = await finished([fileTask("one")]);
    shop.git("branch", "-D", FEATURE);
    await addAll(shop.plan, [fileTask("two")]);
    must(await approve(shop.plan, { references: ["T-two"] }));
    await shop.workThrough();
    expect(noticesOf(shop)).toEqual([expect.stringMatching(`^${FEATURE} was deleted. It is back, at [0-9a-f]{10}.$`)]);
    expect([shop.git("show", `${FEATURE}:one.txt`), shop.git("show", `${FEATURE}:two.txt`)]).toEqual(["one", "two"]);
  });

  it("begins at main again if all of its work was reset, and brings back nothing of it", async () => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    const discarded = shop.git("rev-list", `main..${FEATURE}`).split("\n");
    must(await reset(shop.plan, { references: ["T-one", "T-two"], reason: "all wrong" }));
    shop.git("branch", "-D", FEATURE);
    await shop.workThrough();
    const commits = shop.git("rev-list", `main..${FEATURE}`).split("\n");
    expect(commits).toHaveLength(2);
    expect(discarded.filter((commit) => commits.includes(commit))).toEqual([]);
    expect(noticesOf(shop)).toEqual([]);
  });

  it("is named with the commit to restore if nothing of it is kept", async () => {
    const shop = await finished([fileTask("one")]);
    const tip = shop.git("rev-parse", FEATURE);
    shop.git("branch", "-D", FEATURE);
    shop.git("update-ref", "-d", ACCEPTED);
    const { reason, message, details } = await shop.refused();
    expect(reason).toBe("work-missing");
    expect(message).toContain(`The branch ${FEATURE} was deleted, and main does not have the work of T-one.`);
    expect(details?.["restore"]).toBe(`git branch ${FEATURE} ${tip.slice(0, 12)}`);
    shop.git("branch", FEATURE, tip.slice(0, 12));
    expect((await shop.landed()).outcome).toBe("landed");
  });
});
