import { describe, expect, it } from "vitest";
import { FEATURE, type Finished, finished, isClean } from "../../../test/finished-feature.js";
import { must } from "../../../test/plan.js";
import { fileTask } from "../../../test/shop.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { accept } from "../../plan/claim/settle-tasks.js";
import { setLevel } from "../../plan/level/level.js";
import { addRecord } from "../../verbs/record/add.js";
import { approveRecords } from "../../verbs/record/approve.js";
import { supersedeRecord } from "../../verbs/record/supersede.js";
import { landFeature } from "./land.js";

const constraint = {
  kind: "constraint" as const,
  title: "Leave one alone",
  forbidFiles: ["one.txt"],
};

async function forbid(shop: Finished): Promise<string> {
  const { id } = must(await addRecord(shop.plan, constraint));
  must(await approveRecords(shop.plan, { ids: [id] }));
  return id;
}

/** Commits a file to the feature's branch, as a person would. */
function commitOnBranch(shop: Finished, file: string): void {
  shop.git("checkout", "-q", FEATURE);
  shop.repository.commit({ [file]: "by hand\n" });
  shop.git("checkout", "-q", "main");
}

describe("a constraint that was approved after the work", () => {
  it("keeps the work from landing, and says what to do", async () => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    const id = await forbid(shop);
    const before = shop.everything();
    const failure = await shop.refused();
    expect(failure).toMatchObject({
      reason: "contradicts-record",
      message: `FEAT-A cannot land. T-one touches one.txt, which ${id} "Leave one alone" forbids (one.txt). Reopen the work, replace the record, or give a reason to land it anyway.`,
      details: { contradictions: [{ record: id, task: "T-one", what: "one.txt" }] },
    });
    expect(failure.next?.map(({ operation }) => operation)).toEqual(["reset", "record.list", "land"]);
    expect((await shop.refused({ dryRun: true })).reason).toBe("contradicts-record");
    expect(shop.everything()).toEqual(before);
    expect(must(await listQuestions(shop.plan, {}))).toEqual([]);
  });

  it("names the work as soon as it is in force, and no more once the work has landed", async () => {
    const shop = await finished([fileTask("one")]);
    const named = async (): Promise<unknown> => must(await addRecord(shop.plan, constraint)).contradictions;
    expect(await named()).toMatchObject([{ task: "T-one", what: "one.txt" }]);
    await shop.landed({ despite: "I know" });
    expect(await named()).toEqual([]);
  });

  it("lets it land once it is replaced", async () => {
    const shop = await finished([fileTask("one")]);
    const id = await forbid(shop);
    const other = must(await addRecord(shop.plan, { ...constraint, forbidFiles: ["other.txt"] }));
    must(await approveRecords(shop.plan, { ids: [other.id] }));
    must(await supersedeRecord(shop.plan, { id, by: other.id }));
    expect((await shop.landed()).outcome).toBe("landed");
  });

  it("lets it land with a person's reason, which is part of the proof", async () => {
    const shop = await finished([fileTask("one")]);
    const id = await forbid(shop);
    const landing = await shop.landed({ despite: "it goes in May" });
    expect(landing.proof).toContain(`landed although T-one touches one.txt, which ${id}`);
    expect(landing.proof).toContain("Reason: it goes in May");
    isClean(shop);
  });

  it("does not hold back what a person accepted knowing it, but holds back what was accepted before", async () => {
    const tasks = [fileTask("one", { checks: [] })];
    const before = await finished(tasks);
    must(await accept(before.plan, { references: ["T-one"], reason: "read it" }));
    await forbid(before);
    expect((await before.refused()).reason).toBe("contradicts-record");
    const after = await finished(tasks);
    await forbid(after);
    must(await accept(after.plan, { references: ["T-one"], reason: "read it" }));
    expect((await after.landed()).outcome).toBe("landed");
  });

  it("stops the daemon, which asks once and may not give a reason", async () => {
    const shop = await finished([fileTask("one")]);
    await forbid(shop);
    must(await setLevel(shop.plan, { level: "auto" }));
    const refused = await landFeature(shop.services, "FEAT-A", { despite: "I want to" });
    expect(refused).toMatchObject({ ok: false, error: { reason: "needs-person" } });
    await landFeature(shop.services, "FEAT-A");
    const questions = must(await listQuestions(shop.plan, {}));
    expect(questions).toMatchObject([{ question: "FEAT-A cannot land. What next?" }]);
    expect(questions[0]?.context).toContain("T-one touches one.txt");
  });

  it("counts for commits that belong to no task, too", async () => {
    const shop = await finished([fileTask("two")]);
    commitOnBranch(shop, "one.txt");
    const id = await forbid(shop);
    expect((await shop.refused()).message).toContain(`${FEATURE} touches one.txt, which ${id}`);
  });
});

describe("commits on the feature's branch that belong to no task", () => {
  it("cannot land unseen: the landing and its dry run name them, with their files", async () => {
    const shop = await finished([fileTask("one", { files: [] })]);
    commitOnBranch(shop, "notes.txt");
    expect((await shop.landed({ dryRun: true })).proof).toMatch(
      /the commit \w{10} ".*" by .*belongs to no task \(notes\.txt\)/,
    );
    expect((await shop.landed()).proof).toContain("belongs to no task (notes.txt)");
  });

  it.each(["conftest.py", ".github/workflows/x.yml"])(
    "cannot land %s without your reason, and never at auto",
    async (file) => {
      const shop = await finished([fileTask("one", { files: [] })]);
      commitOnBranch(shop, file);
      const refused = { reason: "outside-footprint", details: { judges: [file], strangers: [{ files: [file] }] } };
      expect(await shop.refused()).toMatchObject({ ...refused, message: expect.stringContaining(`(${file})`) });
      expect(await shop.refused({ dryRun: true })).toMatchObject(refused);
      must(await setLevel(shop.plan, { level: "auto" }));
      expect(await landFeature(shop.services, "FEAT-A")).toMatchObject({ ok: false, error: refused });
      expect((await shop.landed({ despite: "I wrote it" })).proof).toContain("Reason: I wrote it");
    },
  );

  it("cannot change a file of a task unseen", async () => {
    const shop = await finished([fileTask("one", { files: [] })]);
    commitOnBranch(shop, "one.txt");
    expect((await shop.landed()).proof).toContain("belongs to no task (one.txt)");
  });
});

describe("files outside of the footprints", () => {
  it("cannot land unseen if they were committed to the feature's branch by hand", async () => {
    const shop = await finished([fileTask("one")], { policy: { footprint: "ask" } });
    commitOnBranch(shop, "stray.txt");
    expect(await shop.refused()).toMatchObject({
      reason: "outside-footprint",
      details: { outside: [{ task: FEATURE, files: ["stray.txt"] }] },
    });
    expect((await shop.landed({ despite: "I wrote it" })).outcome).toBe("landed");
  });

  it("cannot land after the setting became stricter", async () => {
    const stray = "```sh run\necho one > one.txt\necho x > stray.txt\n```";
    const shop = await finished([fileTask("one", { body: stray })], { policy: { footprint: "note" } });
    const strict = { ...shop.person, policy: { ...shop.person.policy, footprint: "refuse" as const } };
    expect(await landFeature(strict, "FEAT-A")).toMatchObject({ error: { reason: "outside-footprint" } });
    expect((await shop.landed()).outcome).toBe("landed");
  });
});
