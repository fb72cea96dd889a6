// The plan as a document that people edit, and the program reads back.

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { must, mustFail, type TestPlan } from "../../../test/plan.js";
import { objection, planForEach, planningRig, type Rig, request, SPEC, withAnswers } from "../../../test/planning.js";
import { add } from "../../plan/node/add.js";
import { DatabaseReader } from "../../store/read/reader.js";
import { edit } from "../../verbs/node/edit.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

const documentOf = async (rig: Rig, run = "RUN-001"): Promise<string> => {
  const { artifacts } = must(await rig.show(run));
  return plan.store.read(async (reader) => {
    const item = await reader.item("artifact", artifacts.plan ?? "");
    return (item && (await reader.document(item.fields.hash))) ?? "";
  });
};

describe("a node", () => {
  it("says which run made it, which is planning it now, and what they produced", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ "author revise": {} }) });
    must(await rig.plan(request()));
    must(await rig.approve());
    const node = { mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" } as const;
    must(await rig.plan(request(node)));
    const reads = vi.spyOn(DatabaseReader.prototype, "items");
    onTestFinished(() => reads.mockRestore());
    const shown = must(await rig.ask("show", { reference: "TASK-00003" }));
    // Once to see whether there are any, and once for the node's own.
    expect(reads.mock.calls.filter(([entity]) => entity === "run")).toHaveLength(2);
    expect(shown).toMatchObject({
      origin: { run: "RUN-001", spec: { file: "docs/spec.md" } },
      beingPlannedBy: ["RUN-002"],
    });
    const listed = must(await rig.ask("artifact.list", { node: "FEAT-001", kind: "draft" }));
    expect(new Set(listed.map(({ run }) => run))).toEqual(new Set(["RUN-001", "RUN-002"]));
    expect(must(await rig.ask("artifact.list", { node: "FEAT-A" }))).toEqual([]);
    must(await rig.abort("RUN-002"));
    expect(must(await rig.ask("show", { reference: "FEAT-001" }))).toMatchObject({ beingPlannedBy: [] });
  });
});

describe("an edited plan document", () => {
  it("is read back by id without asking an agent, and the plan waits for you again", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const calls = rig.asked.length;
    const document = (await documentOf(rig))
      .replace("#### T3 Remember the name", "#### T3 Remember the last name")
      .replace("- After: T1", "- After: T1, T3")
      .replace("## Rollback", "Make it friendlier, please.\n\n## Rollback");
    const edited = must(await rig.ask("plan.edit", { run: "RUN-001", document }));
    expect(edited).toMatchObject({
      status: "ready",
      edits: { changes: ["T2 dependencies", "T3 title"], prose: ["Make it friendlier, please."] },
    });
    expect(rig.asked).toHaveLength(calls);
    expect(must(await rig.approve()).added).toContain("TASK-00003");
    expect(await plan.view("TASK-00003")).toMatchObject({ title: "Remember the last name" });
    expect((await plan.view("TASK-00002")).dependsOn).toEqual(["TASK-00001", "TASK-00003"]);
  });

  it("may be as long as a real plan", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const body = "It greets by name, and it remembers whom it greeted. ".repeat(150).trim();
    const document = (await documentOf(rig)).replace("Do it: Greet by name.", body);
    expect(document.length).toBeGreaterThan(8_000);
    const { edits } = must(await rig.ask("plan.edit", { run: "RUN-001", document }));
    expect(edits.changes).toEqual(["T1 body"]);
  });

  it("asks you when the program finds an error in it, and can be edited again", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const document = await documentOf(rig);
    const broken = must(await rig.ask("plan.edit", { document: document.replace("- After: T1", "- After: T9") }));
    expect(broken).toMatchObject({ status: "waiting" });
    const repaired = must(await rig.ask("plan.edit", { run: "RUN-001", document }));
    expect(repaired).toMatchObject({ status: "ready", questions: [], edits: { changes: ["T2 dependencies"] } });
  });

  it("decides a stop as well", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ critic: [objection("K1", "critical")] }),
    });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    const document = (await documentOf(rig)).replace("Do it: Greet by name.", "Also names with spaces.");
    const edited = must(await rig.ask("plan.edit", { document }));
    expect(edited).toMatchObject({ status: "ready", questions: [], edits: { changes: ["T1 body"] } });
    expect(await plan.store.read((reader) => reader.item("question", key))).toMatchObject({
      fields: { state: "withdrawn" },
    });
  });

  it("of a plan in use becomes a revision that you approve", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    must(await rig.approve());
    const calls = rig.asked.length;
    const document = (await documentOf(rig)).replace(
      "#### TASK-00003 Remember the name",
      "#### TASK-00003 Remember the last name",
    );
    const view = must(await rig.ask("plan.start", { source: { text: document, path: "plan.md" } }));
    expect(view).toMatchObject({ id: "RUN-002", mode: "revise", status: "ready" });
    expect(rig.asked).toHaveLength(calls);
    expect(must(await rig.diff("RUN-002")).changed.flatMap(({ fields }) => fields)).toMatchObject([{ field: "title" }]);
    expect(must(await rig.approve("RUN-002"))).toMatchObject({ added: [], changed: ["TASK-00003"], dropped: [] });
    expect((await plan.view("TASK-00003")).title).toBe("Remember the last name");
  });

  it("that was exported before the approval still names its nodes", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const document = (await documentOf(rig))
      .replace("#### T3 Remember the name", "#### T3 Remember the last name")
      .replace("- After: T1", "- After: T1, T3");
    must(await rig.approve());
    const edited = must(await rig.ask("plan.edit", { document }));
    expect(edited.edits).toEqual({ changes: ["TASK-00002 dependsOn", "TASK-00003 title"], prose: [] });
  });

  it("that is older than the plan undoes nothing that was changed since", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    must(await rig.approve());
    const document = (await documentOf(rig)).replace(
      "#### TASK-00003 Remember the name",
      "#### TASK-00003 Remember it",
    );
    must(await edit(plan, { reference: "TASK-00001", title: "Greet kindly" }));
    const newer = { id: "NEW", tier: "task", title: "New", body: "Do it.", parent: "FEAT-001" } as const;
    must(await add(plan, [{ input: newer, where: "" }]));
    const edited = must(await rig.ask("plan.edit", { document }));
    expect(edited.edits).toEqual({ changes: ["TASK-00003 title"], prose: [] });
    must(await rig.approve(edited.id));
    const titles = await Promise.all(
      ["TASK-00001", "TASK-00003", "NEW"].map(async (id) => (await plan.view(id)).title),
    );
    expect(titles).toEqual(["Greet kindly", "Remember it", "New"]);
  });

  it("of another run is refused, and words alone are a problem", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    must(await rig.plan(request({ text: `${SPEC}\n`, source: "other.md" })));
    const document = await documentOf(rig);
    expect(mustFail(await rig.ask("plan.edit", { run: "RUN-002", document })).reason).toBe("other-run");
    const wordy = document.replace("## Rollback", "Shorter!\n\n## Rollback");
    expect(mustFail(await rig.ask("plan.edit", { document: wordy }))).toMatchObject({
      reason: "prose",
      details: { edits: { changes: [], prose: ["Shorter!"] } },
    });
  });
});
