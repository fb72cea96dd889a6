import { isoTime } from "../../model/iso-time.js";
import { type Context, harmless, minute, ok, planVerb, widest } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "claim", group: "work", aliases: ["claim list"] },
  summary: "List who works on what, and until when",
  description:
    "A claim whose lease has ended goes back to the queue as soon as the next worker asks for work. If you lost the token of your own claim, start the task again: you get a new one.",
  effect: "reads",
  hints: ["claim"],
  tools: [{ tool: "find", action: "claims", fields: [], pages: "" }],
  examples: [{ input: {}, does: "lists all claims, those that end first at the top" }],
  run: listClaims,
  text: (found, style) => {
    if (found.length === 0) return style.dim("No claims.");
    const [ids, names] = [widest(found.map(({ id }) => id)), widest(found.map(({ by }) => by))];
    return found.map(({ id, title, by, leaseUntil, expired }) => {
      const until = expired ? style.yellow(`expired ${minute(leaseUntil)}`) : `until ${minute(leaseUntil)}`;
      return `${style.bold(id.padEnd(ids))}  ${by.padEnd(names)}  ${until}  ${style.dim(harmless(title))}`;
    });
  },
});

/** More claims than one plan has at a time. */
export const MAX_CLAIMS = 10_000;

/** Claims that end first are at the top. `expired`: no one has asked for work since its lease ended. */
export function listClaims({ store, actor, now }: Context) {
  return store.read(async (reader) => {
    const claimed = await reader.claimed({ limit: MAX_CLAIMS });
    return ok(
      claimed.flatMap(({ id, title, claim }) => {
        if (!claim) return [];
        const { by, epoch, at, until } = claim;
        const [expired, yours] = [until < now(), by === actor];
        return [{ id, title, by, epoch, at: isoTime(at), leaseUntil: isoTime(until), expired, yours }];
      }),
    );
  });
}
