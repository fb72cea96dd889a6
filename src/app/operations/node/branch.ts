// Operations on nodes together with everything below them. Each loads its action when it runs: answers offer these operations,
// and to offer one needs only its declaration.

import type { ApprovalPreview, PreviewSettings, SeenPreview } from "../../../actions/branch/approval-preview.js";
import type { Approved } from "../../../actions/branch/approve.js";
import { type NextStep, step } from "../../../graph/next-step.js";
import { fail, ok, type Result, usage } from "../../../graph/result.js";
import type { AppliedRun } from "../../../planning/apply/apply-run.js";
import { operation } from "../../operation.js";
import { filled, flag, input, node, nodes, optional, wholeNumber } from "../../schema.js";
import type { Session } from "../../session.js";

const RUN = /^run-\d+$/i;
const RECORD = /^(?:con|req|dec|asm)-\d+$/i;

const approve = operation({
  name: "approve",
  summary: "Approve a plan, or nodes with everything below them",
  description:
    "Shows every node, every command that may run, the files, network and credentials asked for, and what changed since the last approval; then asks. Without a terminal, confirm with seen or yes. The approval is bound to the content: an edit afterwards makes it stale. A node in the inbox has to be moved out in the same step. A planning run that is ready is added to the plan and approved as one operation. Content that contradicts an active constraint, and a feature that leaves out a requirement, need a reason.",
  who: "person",
  effect: "writes",
  looksOnly: ({ preview }) => preview === true,
  input: () =>
    input({
      references: nodes("a node, with everything below it; or a planning run such as RUN-001", "NODE|RUN"),
      to: optional(node("move the nodes below this one first, in the same operation")),
      despite: optional(filled("approve although it contradicts a record; the reason is kept", "REASON")),
      preview: optional(flag("only show what would be approved")),
      seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
      yes: optional(flag("approve without showing a preview and asking")),
    }),
  examples: [
    { input: { references: ["FEAT-001"] }, does: "approves the feature, its stories and its tasks" },
    { input: { references: ["RUN-001"] }, does: "shows the plan of the run, adds it and allows it to run" },
    {
      input: { references: ["RUN-001"], preview: true },
      does: "shows what an approval would allow, and approves nothing",
    },
    { input: { references: ["TASK-00007"], to: "FEAT-001" }, does: "moves a task out of the inbox and approves it" },
    {
      input: { references: ["FEAT-001"], despite: "the old code goes in May" },
      does: "approves it although a record forbids it",
    },
  ],
  run: async (session, asked): Promise<Result<Approved | AppliedRun | OfferedPreview>> => {
    const record = asked.references.find((reference) => RECORD.test(reference));
    if (record !== undefined) {
      return usage("is-record", `${record} is a record, not a node.`, {
        next: [step("record.approve", { ids: [record] })],
      });
    }
    const { preview: _, yes: __, ...again } = asked;
    const approval = await approvalOf(session, asked);
    const { confirmApproval, previewSettings } = await import("../../consent/confirm-approval.js");
    if (asked.preview === true) {
      const settings = previewSettings(session.root, session.env);
      if (!settings.ok) return settings;
      const shown = await approval.preview(settings.value);
      if (!shown.ok) return orWithReason(shown, again);
      return ok({ ...shown.value, next: [step("approve", { ...again, seen: shown.value.hash })] });
    }
    const seen = await confirmApproval(session, {
      consent: asked,
      preview: approval.preview,
      question: `Approve ${asked.references.join(", ")}?`,
      withSeen: (hash) => step("approve", { ...again, seen: hash }),
    });
    return orWithReason(seen.ok ? await approval.carryOut(seen.value) : seen, again);
  },
});

/** What contradicts a record can be approved all the same, with a reason. */
const orWithReason = <T>(result: Result<T>, asked: NextStep["input"]): Result<T> =>
  result.ok || result.error.reason !== "contradicts-record"
    ? result
    : fail({ ...result.error, next: [step("approve", asked, "despite"), ...(result.error.next ?? [])] });

/** With the step that approves exactly what it shows. */
export interface OfferedPreview extends ApprovalPreview {
  readonly next: readonly NextStep[];
}

interface Approval {
  readonly preview: (settings: PreviewSettings) => Promise<Result<ApprovalPreview>>;
  readonly carryOut: (seen: SeenPreview | undefined) => Promise<Result<Approved | AppliedRun>>;
}

/** Of a planning run, or of nodes. */
async function approvalOf(
  session: Session,
  asked: { readonly references: readonly string[]; readonly to?: string; readonly despite?: string },
): Promise<Approval> {
  const [run = "", ...others] = asked.references;
  if (others.length > 0 || !RUN.test(run)) {
    const { approve: approveNodes, previewApproval } = await import("../../../actions/branch/approve.js");
    return {
      preview: (settings) => previewApproval(session, asked, settings),
      carryOut: (seen) => approveNodes(session, asked, seen),
    };
  }
  const { applyRun, previewRunApproval } = await import("../../../planning/apply/apply-run.js");
  const { planning } = await session.engines();
  const { despite } = asked;
  return {
    preview: (settings) => previewRunApproval(planning, { run, despite }, settings),
    // The preview has shown what it drops, or the person said yes to everything.
    carryOut: (seen) => applyRun(planning, { run, despite, approve: true, yes: true, seen }),
  };
}

const unapprove = operation({
  name: "unapprove",
  summary: "Withdraw the approval of nodes and everything below them",
  description: "Finished nodes keep their approval. Release a claimed task first.",
  who: "person",
  effect: "writes",
  input: () => input({ references: nodes("a node; everything below it loses its approval too") }),
  examples: [{ input: { references: ["FEAT-001"] }, does: "stops more of the feature from starting" }],
  run: async (session, asked) => (await import("../../../actions/branch/unapprove.js")).unapprove(session, asked),
});

const freeze = operation({
  name: "freeze",
  summary: "Stop nodes and everything below them, with a reason",
  description:
    "Finished nodes stay as they are, and nodes that were frozen before keep their own reason. A worker who holds a task below loses the claim.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      references: nodes("a node; everything below it is frozen too"),
      reason: optional(filled("why; shown wherever the status is shown")),
    }),
  examples: [
    { input: { references: ["STORY-0001"], reason: "the API is changing" }, does: "stops the story and its tasks" },
  ],
  run: async (session, asked) => (await import("../../../actions/branch/freeze.js")).freeze(session, asked),
});

const thaw = operation({
  name: "thaw",
  summary: "Let frozen nodes continue",
  description:
    "Nodes below that were frozen on their own stay frozen and are listed. If git shows that files of a footprint changed since the freeze, nothing thaws and they are listed, because the plan may no longer fit. A conflict that froze a node has to be decided first. An agent may thaw only what no person froze.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      references: nodes("a frozen node; everything that was frozen with it thaws too"),
      partial: optional(flag("thaw only these nodes, not what was frozen with them")),
      drop: optional(flag("drop them instead of letting them continue")),
      grantBudget: optional(wholeNumber("allow N more replans of each node", 1, 1000)),
      force: optional(flag("thaw although files changed since, or a conflict is open")),
    }),
  examples: [
    { input: { references: ["STORY-0001"] }, does: "lets the story continue" },
    { input: { references: ["FEAT-001"], grantBudget: 1 }, does: "lets it continue and be replanned once more" },
  ],
  run: async (session, asked) => (await import("../../../actions/branch/thaw.js")).thaw(session, asked),
});

const waive = operation({
  name: "waive",
  summary: "Decide that work is not needed",
  description:
    "A waived task counts as done for everything that waits for it. In a feature or story, everything open is waived.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      references: nodes("a task, or a node whose open tasks are waived"),
      reason: filled("why it is not needed; kept in the log"),
    }),
  examples: [
    {
      input: { references: ["TASK-00007"], reason: "the library does it" },
      does: "lets the rest of the plan continue",
    },
  ],
  run: async (session, asked) => (await import("../../../actions/branch/waive.js")).waive(session, asked),
});

const drop = operation({
  name: "drop",
  summary: "Drop nodes and everything open below them",
  description:
    "Finished nodes stay, and so does everything that contains one. A branch that was replanned no longer waits for a new plan. A land task is dropped only with its whole feature. The inbox and BUGS are part of every plan, so only what is in them is dropped. An agent may drop only what no person approved, and nothing that waits for a new plan.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () =>
    input({
      references: nodes("a node; everything open below it is dropped too"),
      reason: optional(filled("why")),
    }),
  examples: [
    { input: { references: ["STORY-0002"], reason: "out of scope" }, does: "drops the story and its open tasks" },
  ],
  run: async (session, asked) => (await import("../../../actions/branch/drop.js")).drop(session, asked),
});

const archive = operation({
  name: "archive",
  summary: "Hide finished nodes, with a summary of what was done",
  description:
    "Every node stays in the plan and still counts for whatever depends on it. An archived branch can be restored.",
  who: "both",
  effect: "writes",
  input: () => input({ references: nodes("a finished initiative, feature or story") }),
  examples: [{ input: { references: ["FEAT-001"] }, does: "hides the feature and shows its summary" }],
  run: async (session, asked) => (await import("../../../actions/branch/archive.js")).archive(session, asked),
});

const restore = operation({
  name: "restore",
  summary: "Show archived nodes again",
  description: "Any node of an archived branch stands for the whole branch.",
  who: "both",
  effect: "writes",
  input: () => input({ references: nodes("an archived node") }),
  examples: [{ input: { references: ["FEAT-001"] }, does: "shows the feature again" }],
  run: async (session, asked) => (await import("../../../actions/branch/archive.js")).restore(session, asked),
});

export const branchOperations = { approve, unapprove, freeze, thaw, waive, drop, archive, restore };
