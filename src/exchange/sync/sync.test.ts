import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, must, task } from "../../../test/plan.js";
import { begin, makeSites, picture, type Site } from "../../../test/sites.js";
import { undo } from "../../verbs/history/take-back.js";

const differences = async ({ plan }: Site): Promise<unknown> => (await plan.store.verify()).differences;

async function two(): Promise<[Site, Site]> {
  const sites = makeSites();
  const ada = await sites.add("ada");
  await begin(ada);
  await addAll(ada.plan, [task("T-1"), task("T-2", { dependsOn: ["T-1"], files: ["a.ts"] })]);
  const kim = await sites.add("kim", 5);
  await ada.sync();
  await kim.sync();
  return [ada, kim];
}

describe("sync", () => {
  it("brings a whole plan into an empty clone, as one operation", async () => {
    const [ada, kim] = await two();
    expect(await picture(kim)).toBe(await picture(ada));
    const log = await kim.plan.store.read((reader) => reader.operations({ limit: 10 }));
    expect(log.map(({ verb, sentence }) => `${verb}: ${sentence}`)).toEqual(["sync: merged 2 operations of ada"]);
    expect(await differences(kim)).toEqual([]);
    expect((await kim.plan.view("FEAT-A-LAND")).kind).toBe("land");
  });

  it("changes nothing where there is nothing new, however often it is asked", async () => {
    const [ada, kim] = await two();
    const last = (site: Site) => site.plan.store.read((reader) => reader.lastOperation());
    const before = [await last(ada), await last(kim)];
    for (const site of [kim, ada, kim, ada]) expect((await site.sync()).merged).toEqual([]);
    expect([await last(ada), await last(kim)]).toEqual(before);
    expect(ada.git("config", "--get-all", "remote.origin.fetch").trim()).toBe("+refs/heads/*:refs/remotes/origin/*");
  });

  it("keeps what both did to different things", async () => {
    const [ada, kim] = await two();
    await addAll(ada.plan, [{ id: "T-1", title: "By Ada" }, task("T-3")]);
    await addAll(kim.plan, [{ id: "T-2", title: "Task T-2", body: "By Kim" }, task("T-4")]);
    must(await ask(kim.plan, "comment", { reference: "T-1", text: "Look here" }));
    must(await ask(kim.plan, "label", { references: ["T-1"], add: ["ui"] }));
    for (const site of [ada, kim, ada]) await site.sync();
    expect(await picture(ada)).toBe(await picture(kim));
    expect(await ada.plan.view("T-1")).toMatchObject({ title: "By Ada" });
    expect(await ada.plan.view("T-2")).toMatchObject({ body: "By Kim", dependsOn: ["T-1"] });
    expect(await picture(ada)).toContain("Look here");
    for (const site of [ada, kim]) expect(await differences(site)).toEqual([]);
  });

  it("asks which of two titles is right, and one answer is enough for everybody", async () => {
    const [ada, kim] = await two();
    await addAll(ada.plan, [{ id: "T-1", title: "By Ada" }]);
    await addAll(kim.plan, [{ id: "T-1", title: "By Kim" }]);
    for (const site of [ada, kim, ada]) await site.sync();
    const questions = (site: Site) => site.plan.store.read((reader) => reader.items("question", { state: "open" }));
    const [question] = await questions(ada);
    expect(question?.fields.options.map(({ label }) => label)).toEqual(["By Ada", "By Kim"]);
    expect(await questions(kim)).toHaveLength(1);
    must(await ask(ada.plan, "question.answer", { id: question?.key ?? "", option: "1" }));
    for (const site of [ada, kim, ada]) await site.sync();
    for (const site of [ada, kim]) {
      expect((await site.plan.view("T-1")).title).toBe("By Ada");
      expect(await questions(site)).toEqual([]);
      expect(await differences(site)).toEqual([]);
    }
  });

  it("gives an id that both used to the older node, and the other a new one, everywhere", async () => {
    const [ada, kim] = await two();
    await addAll(ada.plan, [task("TASK-00007", { title: "By Ada" })]);
    await addAll(kim.plan, [task("TASK-00007", { title: "By Kim" })]);
    await ada.sync();
    expect((await kim.sync()).renamed).toEqual([{ was: "TASK-00007", id: "TASK-00008" }]);
    await ada.sync();
    expect((await ada.plan.view("TASK-00008")).title).toBe("By Kim");
    expect(await picture(ada)).toBe(await picture(kim));
    expect(must(await ask(kim.plan, "add", { title: "Next", parent: "STORY-A" })).id).toBe("TASK-00009");
  });

  it("can be undone as a whole, and everybody hears of it", async () => {
    const [ada, kim] = await two();
    await addAll(kim.plan, [task("T-3"), { id: "T-1", title: "By Kim" }]);
    await kim.sync();
    const { op } = await ada.sync();
    must(await undo(ada.plan, String(op)));
    expect((await ada.plan.view("T-1")).title).toBe("Task T-1");
    expect((await ada.sync()).merged).toEqual([]);
    await kim.sync();
    expect(await picture(ada)).toBe(await picture(kim));
    expect((await kim.plan.view("T-1")).title).toBe("Task T-1");
    for (const site of [ada, kim]) expect(await differences(site)).toEqual([]);
  });
});
