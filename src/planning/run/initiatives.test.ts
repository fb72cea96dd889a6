// Initiatives that an author proposes: from its draft into the plan, into the document and back, and out again.

import { describe, expect, it } from "vitest";
import { must, mustFail, type TestPlan } from "../../../test/plan.js";
import { ANSWERS, planForEach, planningRig, type Rig, reply, request, SPEC } from "../../../test/planning.js";
import { add } from "../../plan/node/add.js";
import { undo } from "../../verbs/history/take-back.js";
import type { PlanDraft, PlanRevision } from "../contracts/plan-draft.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

const DRAFT = ANSWERS["author tasks"] as PlanDraft;

/** Two features in an initiative of their own, and one in an initiative that the plan has. */
const WITH_INITIATIVE = {
  ...DRAFT,
  initiatives: [{ id: "I1", title: "Manners", body: "Be polite." }],
  features: [
    { id: "F1", title: "Greeter", body: "", parent: "I1" },
    { id: "F2", title: "Store", body: "", parent: "I1" },
  ],
  tasks: DRAFT.tasks.map((task) => (task.id === "T3" ? { ...task, parent: "F2" } : task)),
};

const rigWith = (draft: unknown, revision: Partial<PlanRevision> = {}): Rig =>
  planningRig(plan, {
    answer: (topic) => reply(topic === "author tasks" ? draft : topic === "author revise" ? revision : ANSWERS[topic]),
  });

async function approved(revision: Partial<PlanRevision> = {}): Promise<Rig> {
  const rig = rigWith(WITH_INITIATIVE, revision);
  must(await rig.plan(request()));
  must(await rig.approve());
  return rig;
}

const parentOf = async (id: string): Promise<string | null> => (await plan.view(id)).parent;

const documentOf = (rig: Rig, run = "RUN-001"): Promise<string> =>
  rig.show(run).then((shown) =>
    plan.store.read(async (reader) => {
      const item = await reader.item("artifact", must(shown).artifacts.plan ?? "");
      return (item && (await reader.document(item.fields.hash))) ?? "";
    }),
  );

describe("an initiative that the author proposes", () => {
  it("is shown before you approve, comes into the plan with its features, and one undo takes it back", async () => {
    const rig = rigWith(WITH_INITIATIVE);
    const ready = must(await rig.plan(request()));
    expect(ready).toMatchObject({ status: "ready", counts: { initiatives: 1, features: 2 } });
    const diff = must(await rig.diff());
    expect(diff.added.map(({ id, tier }) => `${tier} ${id}`).slice(0, 2)).toEqual(["initiative I1", "feature F1"]);
    expect(diff.approves).toContain("I1");
    expect(await documentOf(rig)).toContain("### I1 Manners\n\nBe polite.\n\n- Features: F1, F2");
    const { approved: cleared } = must(await rig.approve());
    expect(cleared).toContain("INIT-001");
    expect(await plan.view("INIT-001")).toMatchObject({ tier: "initiative", title: "Manners", parent: "MISSION" });
    expect(await Promise.all(["FEAT-001", "FEAT-002"].map(parentOf))).toEqual(["INIT-001", "INIT-001"]);
    expect(await documentOf(rig)).toContain("### INIT-001 Manners\n\nBe polite.\n\n- Features: FEAT-001, FEAT-002");
    // The tasks name behaviours, and those quote the spec.
    expect(must(await rig.ask("show", { reference: "INIT-001" }))).toMatchObject({
      origin: { run: "RUN-001", spec: { lines: [5, 6, 10] } },
    });
    must(await undo(plan));
    expect(mustFail(await rig.ask("show", { reference: "INIT-001" })).reason).toBe("not-found");
    expect(must(await rig.show()).status).toBe("ready");
  });

  it("joins what the plan has: the author sees its initiatives, and a second one by the same title is refused", async () => {
    must(await add(plan, [{ input: { id: "INIT-007", tier: "initiative", title: "Manners" }, where: "" }]));
    const joining = { ...DRAFT, features: [{ id: "F1", title: "Greeter", body: "", parent: "INIT-007" }] };
    const rig = rigWith(joining);
    must(await rig.plan(request()));
    const { brief } = rig.requests.find(({ brief: { stage } }) => stage === "tasks") as Rig["requests"][number];
    expect(brief.initiatives).toEqual([{ id: "INIT-007", title: "Manners" }]);
    must(await rig.approve());
    expect(await parentOf("FEAT-001")).toBe("INIT-007");
    const twice = rigWith({ ...WITH_INITIATIVE, features: WITH_INITIATIVE.features.toReversed() });
    const again = must(await twice.plan(request({ text: `${SPEC}\n`, source: "other.md" })));
    expect(mustFail(await twice.approve(again.id))).toMatchObject({
      reason: "duplicate",
      details: { node: "INIT-007" },
    });
  });

  it("can be revised, and goes with a yes once its features are elsewhere", async () => {
    const rig = await approved({
      features: [
        { id: "FEAT-001", title: "Greeter", body: "", parent: "MISSION" },
        { id: "FEAT-002", title: "Store", body: "", parent: "MISSION" },
      ],
      removed: ["INIT-001"],
    });
    const { id, drops } = must(
      await rig.plan(request({ mode: "revise", text: undefined, source: null, earlier: "RUN-001" })),
    );
    expect(drops.ids).toEqual(["INIT-001"]);
    expect(mustFail(await rig.approve(id)).reason).toBe("needs-yes");
    expect(must(await rig.approve(id, { yes: true }))).toMatchObject({
      dropped: ["INIT-001"],
      changed: ["FEAT-001", "FEAT-002"],
    });
    expect(await parentOf("FEAT-002")).toBe("MISSION");
    expect((await plan.view("INIT-001")).status).toBe("dropped");
  });

  it("is read back from the edited document", async () => {
    const rig = await approved();
    const document = (await documentOf(rig))
      .replace("### INIT-001 Manners", "### INIT-001 Good manners")
      .replace("- Features: FEAT-001, FEAT-002", "- Features: FEAT-002");
    const edited = must(await rig.ask("plan.edit", { document }));
    expect(edited.edits).toEqual({ changes: ["INIT-001 title", "FEAT-001 parent"], prose: [] });
    must(await rig.approve(edited.id));
    expect((await plan.view("INIT-001")).title).toBe("Good manners");
    expect(await parentOf("FEAT-001")).toBe("MISSION");
    expect(await parentOf("FEAT-002")).toBe("INIT-001");
  });

  it("has no place in a run about one node", async () => {
    await approved();
    const rig = rigWith(WITH_INITIATIVE);
    const node = { mode: "expand", kind: "node", text: undefined, source: null } as const;
    must(await add(plan, [{ input: { id: "INIT-009", tier: "initiative", title: "Care" }, where: "" }]));
    const view = must(await rig.plan(request({ ...node, node: "INIT-009" })));
    expect(view.status).toBe("waiting");
    expect(view.questions[0]?.context).toContain("P-OUTSIDE");
  });
});
