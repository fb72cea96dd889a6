import { fields, filled, flag, optional, planVerb, step } from "../kit/verb.js";
import { PREVIEW_REPORT } from "../text/preview-lines.js";

export const input = fields({
  seen: optional(filled("confirm exactly what a preview with this hash showed", "HASH")),
  yes: optional(flag("confirm without showing it and asking")),
});

export const verb = planVerb({
  command: { words: "people confirm", group: "tool" },
  summary: "Confirm approvals of people this plan does not know",
  description:
    "In one step: everything that was approved with a secret that this plan does not know, for example before an upgrade or by somebody who was removed. It shows every node and every command, as approve does, and asks. Without a terminal, confirm with seen or yes.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "shows what waits, asks, and approves it" },
    { input: { yes: true }, does: "approves it without a question" },
  ],
  run: async (session, consent) => {
    const { approve, previewApproval } = await import("../../plan/node/approve.js");
    const { confirmApproval } = await import("../consent/confirm-approval.js");
    const asked = { references: [], unknown: true };
    const seen = await confirmApproval(session, {
      consent,
      preview: (settings) => previewApproval(session, asked, settings),
      question: "Approve all of this?",
      withSeen: (hash) => step("people.confirm", { seen: hash }),
    });
    return seen.ok ? approve(session, asked, seen.value) : seen;
  },
  ...PREVIEW_REPORT,
  text: ({ approved }, style) =>
    approved.length === 0
      ? style.dim("Nothing waits: a person whom this plan knows approved everything that is approved.")
      : `${style.green("✓")} Approved ${approved.slice(0, 10).join(", ")}${approved.length > 10 ? ` and ${approved.length - 10} more` : ""}`,
  next: () => [step("status")],
});
