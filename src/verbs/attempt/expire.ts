import { expireKept } from "../../plan/attempt/kept-work.js";
import { executionOf } from "../execution/engine-access.js";
import { fields, flag, optional, planVerb } from "../kit/verb.js";

export const input = fields({ dryRun: optional(flag("only show what would be removed")) });

export const verb = planVerb({
  command: { words: "attempt expire", hidden: true, group: "work" },
  summary: "Remove unmerged work that is older than the limit",
  description: "The limit is execution.keepDays. Work that you may still accept is never removed.",
  who: "person",
  effect: "runs",
  destructive: true,
  input,
  examples: [{ input: { dryRun: true }, does: "shows which kept work has expired" }],
  run: async (session, asked) => {
    const { garbage } = await executionOf(session);
    return expireKept(session, { ...asked, keepDays: garbage.keepDays });
  },
  text: ({ gone, dryRun }) =>
    gone.length === 0 ? "Nothing has expired." : `${dryRun ? "Would remove" : "Removed"} ${gone.join(", ")}.`,
  note: ({ soon }) => soon.map(({ id, until }) => `${id} expires on ${until.slice(0, 10)}.`),
});
