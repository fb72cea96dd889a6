import type { Claim, Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { isoTime } from "../../plan/node/view.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless, minute } from "../text/wording.js";

export const input = fields({});

export const verb = planVerb({
  name: "claim.list",
  command: { words: "claim list", group: "work" },
  summary: "List who works on what, and until when",
  description:
    "A claim whose lease has ended goes back to the queue as soon as the next worker asks for work. If you lost the token of your own claim, start the task again: you get a new one.",
  who: "both",
  effect: "reads",
  hints: ["claim"],
  tools: [{ tool: "find", action: "claims", fields: [], pages: "" }],
  input,
  examples: [{ input: {}, does: "lists all claims, those that end first at the top" }],
  run: async (session) => listClaims(session),
  text: (found, style) => {
    if (found.length === 0) return style.dim("No claims.");
    const width = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
    const [ids, names] = [width(found.map(({ id }) => id)), width(found.map(({ by }) => by))];
    return found
      .map(({ id, title, by, leaseUntil, expired }) => {
        const until = expired ? style.yellow(`expired ${minute(leaseUntil)}`) : `until ${minute(leaseUntil)}`;
        return `${style.bold(id.padEnd(ids))}  ${by.padEnd(names)}  ${until}  ${style.dim(harmless(title))}`;
      })
      .join("\n");
  },
});

interface ClaimView {
  readonly id: string;
  readonly title: string;
  readonly by: string;
  readonly epoch: number;
  readonly at: string;
  readonly leaseUntil: string;
  /** The lease has ended, and no one has asked for work since. */
  readonly expired: boolean;
  /** It is yours. Start the task again if you lost the token. */
  readonly yours: boolean;
}

/** More claims than one plan has at a time. */
export const MOST_CLAIMS = 10_000;

/** Those that end first at the top. */
export function listClaims(context: Context): Promise<Result<ClaimView[]>> {
  return context.store.read(async (reader) => {
    const claimed = await reader.claimed({ limit: MOST_CLAIMS });
    return ok(claimed.flatMap(({ id, title, claim }) => (claim ? [toClaimView({ id, title }, claim, context)] : [])));
  });
}

const toClaimView = (
  task: Pick<Node, "id" | "title">,
  { by, epoch, at, until }: Claim,
  { actor, now }: Pick<Context, "actor" | "now">,
): ClaimView => ({
  ...task,
  by,
  epoch,
  at: isoTime(at),
  leaseUntil: isoTime(until),
  expired: until < now(),
  yours: by === actor,
});
