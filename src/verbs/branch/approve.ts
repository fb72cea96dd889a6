import { type NextStep, step } from "../../model/next-step.js";
import { fail, ok, type Result, usage } from "../../model/result.js";
import { entityOfKey } from "../../plan/item/find-item.js";
import type { ApprovalPreview, PreviewSettings, SeenPreview } from "../../plan/node/approval-preview.js";
import type { Approved } from "../../plan/node/approve.js";
import type { AppliedRun } from "../../planning/run/apply.js";
import type { Session } from "../kit/session.js";
import {
  fields,
  filled,
  flag,
  type Infer,
  node,
  nodes,
  optional,
  planVerb,
  plural,
  spoken,
  undoStep,
} from "../kit/verb.js";
import { appliedText } from "../text/plan-lines.js";
import { PREVIEW_REPORT, previewText } from "../text/preview-lines.js";

export const input = fields({
  references: nodes("a node, with everything below it; or a planning run such as RUN-001", "NODE|RUN"),
  to: optional(node("move the nodes below this one first, in the same operation")),
  alone: optional(flag("only these nodes, without what is below them")),
  despite: optional(filled("approve although it contradicts a record; the reason is kept", "REASON")),
  preview: optional(flag("only show what would be approved")),
  seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
  yes: optional(flag("approve without showing a preview and asking")),
});

export const verb = planVerb({
  command: { words: "approve", group: "decide", daily: 3, positional: ["references"] },
  summary: "Approve a plan, or nodes with everything below them",
  description:
    "Shows every node, every command that may run, the files, network and credentials asked for, and what changed since the last approval; then asks. Without a terminal, confirm with seen or yes. The approval is bound to the content: an edit afterwards makes it stale. A node in the inbox has to be moved out in the same step. A planning run that is ready is added to the plan and approved as one operation. Content that contradicts an active constraint, and a feature that leaves out a requirement, need a reason.",
  who: "person",
  effect: "writes",
  looksOnly: ({ preview }) => preview === true,
  asksItself: true,
  takesKeys: true,
  phrases: spoken(
    "approve, sign off, sign off on, sign … off, give the go ahead, give … the go ahead, give … the go-ahead, " +
      "give … the green light, green light, greenlight, clear … to run, allow, permit, thumbs up for, " +
      "thumbs up on, happy with",
  ),
  hints: ["allow", "clear"],
  tools: [{ tool: "decide", action: "approve", fields: ["references", "to", "despite"] }],
  input,
  examples: [
    { input: { references: ["FEAT-001"] }, does: "approves the feature, its stories and its tasks" },
    { input: { references: ["RUN-001"] }, does: "shows the plan of the run, adds it and allows it to run" },
    { input: { references: ["MISSION"], alone: true }, does: "approves the text of the mission, and nothing below it" },
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
    const named = await itemsAmong(session, asked.references);
    const other = named.find(({ entity }) => entity === "record" || entity === "lesson");
    if (other) {
      const ids = [other.reference];
      const next = [other.entity === "lesson" ? step("lesson.approve", { ids }) : step("record.approve", { ids })];
      return usage("is-record", `${other.reference} is a ${other.entity}, not a node.`, { next });
    }
    const run = named.find(({ entity }) => entity === "run")?.reference;
    if (run !== undefined && asked.references.length > 1) {
      const message = `${run} is a whole plan, which is approved alone.`;
      return usage("mixed-kinds", message, { next: [step("approve", { references: [run] })] });
    }
    const { preview: _, yes: __, ...again } = asked;
    const approval = await approvalOf(session, run, asked);
    const { confirmApproval, previewSettings } = await import("../consent/confirm-approval.js");
    if (asked.preview === true) {
      const shown = await approval.preview(previewSettings(session.root, session.env));
      if (!shown.ok) return orWithReason(shown, again);
      return ok({ ...shown.value, next: [step("approve", { ...again, seen: shown.value.hash })] });
    }
    const seen = await confirmApproval(session, {
      consent: asked,
      preview: approval.preview,
      question: `Approve ${asked.references.join(", ")}?`,
      withSeen: (hash) => step("approve", { ...again, seen: hash }),
    });
    return orWithReason<Approved | AppliedRun>(seen.ok ? await approval.carryOut(seen.value) : seen, again);
  },
  text: (output, style) => {
    if ("run" in output) return appliedText(output, style);
    const isNothing =
      "hash" in output ? output.nodes.length + output.dropped.length === 0 : output.approved.length === 0;
    if (isNothing) return style.dim("All of it was approved already.");
    if ("hash" in output) return previewText(output, style);
    const despite = output.despite.length > 0 ? `, despite ${output.despite.join(", ")}` : "";
    return `${style.green("✓")} approved ${plural(output.approved.length, "node")}${despite}`;
  },
  note: (output) =>
    "hash" in output || output.approved.length < MANY_NODES
      ? ""
      : "This was one operation, so that one undo takes it back. Others could not write until it was done.",
  next: (output) =>
    "hash" in output ? [] : [...(output.approved.length > 0 ? [step("next")] : []), ...undoStep(output.op)],
  ...PREVIEW_REPORT,
});

/** The references that are keys, with what they name. One that a node has too is left to whoever looks for nodes, who refuses it. */
async function itemsAmong({ store }: Session, references: readonly string[]) {
  const keys = references.flatMap((reference) => {
    const entity = entityOfKey(reference);
    return entity === undefined ? [] : [{ reference, entity }];
  });
  if (keys.length === 0) return [];
  const nodes = await store.read((reader) => reader.byIds(keys.map(({ reference }) => reference)));
  const ids = new Set(nodes.map(({ id }) => id.toLowerCase()));
  return keys.filter(({ reference }) => !ids.has(reference.toLowerCase()));
}

type RepeatedInput = Omit<Infer<typeof input>, "preview" | "yes">;

/** What contradicts a record can be approved all the same, with a reason. */
const orWithReason = <T>(result: Result<T>, asked: RepeatedInput): Result<T> =>
  result.ok || result.error.reason !== "contradicts-record"
    ? result
    : fail({ ...result.error, next: [step("approve", asked, "despite"), ...(result.error.next ?? [])] });

/** Approving so many takes about a second, in which no other program can write. */
const MANY_NODES = 10_000;

/** With the step that approves exactly what it shows. */
type OfferedPreview = ApprovalPreview & { readonly next: readonly NextStep[] };

async function approvalOf(
  session: Session,
  run: string | undefined,
  asked: Pick<Infer<typeof input>, "references" | "alone" | "to" | "despite">,
) {
  if (run === undefined) {
    const { approve: approveNodes, previewApproval } = await import("../../plan/node/approve.js");
    return {
      preview: (settings: PreviewSettings) => previewApproval(session, asked, settings),
      carryOut: (seen: SeenPreview | undefined) => approveNodes(session, asked, seen),
    };
  }
  const { applyRun, previewRunApproval } = await import("../../planning/run/apply.js");
  const planning = await (await session.engines()).planning();
  const { despite } = asked;
  return {
    preview: (settings: PreviewSettings) => previewRunApproval(planning, { run, despite }, settings),
    // The preview has shown what it drops, or the person said yes to everything.
    carryOut: (seen: SeenPreview | undefined) => applyRun(planning, { run, despite, approve: true, yes: true, seen }),
  };
}
