import { beforeEach, describe, expect, it } from "vitest";
import { importRead, keyFor, sourceItem, sourceRead } from "../../../test/import.js";
import { makePlainPlan, must, type TestPlan } from "../../../test/plan.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { actWithNumber } from "../../plan/base/context.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import type { SourceItem, SourceRead } from "../source/source.js";

let plan: TestPlan;

beforeEach(async () => {
  plan = await makePlainPlan();
});

const load = async (items: readonly SourceItem[], rest: Partial<SourceRead> = {}) =>
  must(await importRead(plan, sourceRead(items, rest)));

const nodeOf = async (id: string): Promise<Node> => {
  const node = await plan.store.read((reader) => reader.byId(id));
  if (!node) throw new Error(`There is no ${id}.`);
  return node;
};

const edit = async (id: string, patch: Partial<Node>): Promise<unknown> =>
  must(
    await actWithNumber(plan, "edit", async (writer) => {
      const node = (await writer.byId(id)) as Node;
      return ok({ sentence: "edit", changes: changeNode(node, patch), value: {} });
    }),
  );

describe("a second import", () => {
  it("changes what changed in the source, and nothing else", async () => {
    await load([sourceItem("A"), sourceItem("B")]);
    const report = await load([sourceItem("A", { title: "New title" }), sourceItem("B")]);
    expect(report).toMatchObject({ added: [], changed: [{ id: "A", fields: ["title"] }], kept: [] });
    expect((await nodeOf("A")).title).toBe("New title");
  });

  it("keeps what you changed here", async () => {
    await load([sourceItem("A", { body: "old", files: ["a.ts"] })]);
    await edit("A", { title: "Mine", files: ["a.ts", "mine.ts"] });
    const report = await load([sourceItem("A", { body: "new", files: ["b.ts"] })]);
    expect(report.kept).toEqual([]);
    expect(await nodeOf("A")).toMatchObject({ title: "Mine", body: "new", files: ["mine.ts", "b.ts"] });
  });

  it("says which fields changed on both sides, and overwrites none of them", async () => {
    await load([sourceItem("A")]);
    await edit("A", { title: "Mine" });
    const report = await load([sourceItem("A", { title: "Theirs" })]);
    expect(report.kept).toEqual([{ id: "A", fields: ["title"] }]);
    expect((await nodeOf("A")).title).toBe("Mine");
  });

  it("never takes progress back", async () => {
    await load([sourceItem("A", { progress: "done", status: "done" }), sourceItem("B")]);
    const report = await load([sourceItem("A", { status: "todo" }), sourceItem("B")]);
    expect((await nodeOf("A")).outcome?.kind).toBe("done");
    expect(report.findings[0]?.message).toContain('Tool says "todo"');
  });

  it("finishes what was finished in the source meanwhile, and lands a feature in which nothing is left", async () => {
    await load([sourceItem("A"), sourceItem("B", { dependsOn: [keyFor("A")] })]);
    await load([
      sourceItem("A", { progress: "done" }),
      sourceItem("B", { progress: "done", dependsOn: [keyFor("A")] }),
    ]);
    const { feature } = await nodeOf("A");
    const land = (await plan.store.read((reader) => reader.children(feature as number))).find(
      ({ kind }) => kind === "land",
    );
    expect(land?.outcome).toMatchObject({ kind: "waived", reason: "landed in Tool before the import" });
  });

  it("leaves a task alone that somebody works on", async () => {
    await load([sourceItem("A")]);
    must(await approve(plan, { references: ["A"] }));
    must(await start(plan.as("agent:w"), { reference: "A" }));
    const report = await load([sourceItem("A", { title: "New" })]);
    expect(report.findings[0]?.message).toContain("Somebody works on it");
    expect((await nodeOf("A")).title).toBe("Title of A");
  });

  it("keeps a dependency that you added, and takes away only what the source took away", async () => {
    await load([sourceItem("A"), sourceItem("B"), sourceItem("C", { dependsOn: [keyFor("A")] })]);
    const [a, b] = [await nodeOf("A"), await nodeOf("B")];
    const mine = [...(await nodeOf("C")).dependsOn, { on: b.nr, origin: "stated" } as const];
    await edit("C", { dependsOn: mine });
    await load([sourceItem("A"), sourceItem("B"), sourceItem("C")]);
    expect((await nodeOf("C")).dependsOn.map(({ on }) => on)).toEqual([b.nr]);
    expect(a.nr).not.toBe(b.nr);
  });

  it("names what is not in the source any more, and leaves it as it is", async () => {
    await load([sourceItem("A"), sourceItem("B")]);
    const report = await load([sourceItem("A")]);
    expect(report.gone).toEqual(["B"]);
    expect((await nodeOf("B")).outcome).toBeNull();
  });
});

describe("a first import", () => {
  it("approves nothing, and accepts what was finished in the name of the person who imports", async () => {
    await load([sourceItem("A", { progress: "done" }), sourceItem("B")]);
    expect(await nodeOf("A")).toMatchObject({ approval: null, outcome: { kind: "done", by: "human:ada" } });
    expect((await nodeOf("A")).acceptance?.state).toBe("accepted");
    expect((await plan.view("B")).reason).toBe("unapproved");
  });

  it("lets work go on across features that waits only for what was finished before", async () => {
    const group = (id: string): SourceItem => sourceItem(id, { isGroup: true, tier: "feature" });
    await load([
      group("F1"),
      sourceItem("A", { parent: keyFor("F1"), progress: "done" }),
      sourceItem("A2", { parent: keyFor("F1") }),
      group("F2"),
      sourceItem("B", { parent: keyFor("F2"), dependsOn: [keyFor("A")] }),
    ]);
    expect((await nodeOf("B")).pending).toBe(0);
  });

  it("leaves out a circle, also through a landing, and says where it was", async () => {
    const group = (id: string): SourceItem => sourceItem(id, { isGroup: true, tier: "feature" });
    const report = await load([
      group("F1"),
      sourceItem("A", { parent: keyFor("F1"), dependsOn: [keyFor("B")] }),
      sourceItem("A2", { parent: keyFor("F1") }),
      group("F2"),
      sourceItem("B", { parent: keyFor("F2") }),
      sourceItem("B2", { parent: keyFor("F2"), dependsOn: [keyFor("A2")] }),
    ]);
    expect(report.findings.map(({ message }) => message)).toEqual([expect.stringContaining("closes a circle")]);
  });

  it("gives another id where the plan has that one", async () => {
    const report = await load([sourceItem("FEAT-A")]);
    expect(report.added.map(({ id }) => id)).not.toContain("FEAT-A");
    expect(report.findings[0]?.message).toContain("another node with this id");
  });

  it("puts parents at the top that are missing or go in a circle", async () => {
    const report = await load([
      sourceItem("A", { parent: keyFor("none") }),
      sourceItem("B", { parent: keyFor("C") }),
      sourceItem("C", { parent: keyFor("B") }),
    ]);
    expect(report.added).toHaveLength(4);
    expect(report.findings).toHaveLength(2);
  });

  it("stands side by side with its parts where it is nested deeper than a plan goes", async () => {
    await load([
      sourceItem("F"),
      sourceItem("S", { parent: keyFor("F") }),
      sourceItem("T", { parent: keyFor("S") }),
      sourceItem("U", { parent: keyFor("T") }),
    ]);
    const [story, parts] = [await nodeOf("S"), await nodeOf("U")];
    expect(story.tier).toBe("story");
    expect(parts).toMatchObject({ tier: "task", parent: story.nr, body: "From: Title of T" });
    expect((await nodeOf("T")).dependsOn).toEqual([{ on: parts.nr, origin: "sequence" }]);
  });

  it("re-spells titles, labels and paths that the plan cannot hold, and says so", async () => {
    const report = await load([
      sourceItem("A", {
        title: `\u001b[31mred\u001b[0m ${"x".repeat(600)}`,
        labels: ["a b"],
        files: ["../out.ts", "in.ts"],
      }),
    ]);
    const node = await nodeOf("A");
    expect(node.title).toMatch(/^red x+$/);
    expect(node.title).toHaveLength(500);
    expect(node.files).toEqual(["in.ts"]);
    expect(report.findings.map(({ message }) => message).join("\n")).toMatch(
      /outside the workspace[\s\S]*became "a-b"/,
    );
  });
});
