import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { minute } from "../text/times.js";

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
  run: async (session) => (await import("./list-claims.js")).listClaims(session),
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
