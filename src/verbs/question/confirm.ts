import { checksOn } from "../../engine/tick/chores.js";
import { confirmTriage, PAST } from "../../plan/answer/triage.js";
import { asAsker, executionOf } from "../execution/engine-access.js";
import { fields, harmless, key, planVerb } from "../kit/verb.js";

export const input = fields({ id: key("question", "the question, such as ESC-001", "ID") });

export const verb = planVerb({
  command: { words: "question confirm", group: "decide", positional: ["id"] },
  summary: "Prove a suggested answer, then apply it",
  who: "person",
  effect: "runs",
  input,
  examples: [{ input: { id: "ESC-001" }, does: "proves the suggestion now, then applies it" }],
  run: async (session, { id }) => {
    const execution = await executionOf(session);
    const check = checksOn(asAsker(session, execution), session.signal);
    return execution.contain(() => confirmTriage(session, id, check));
  },
  text: ({ id, about, verb, proof, seen }, style) => {
    const what = `${(verb === "withdraw" ? id : about) ?? ""} is ${PAST[verb]}`;
    return `${style.green("✓")} ${style.bold(id)}  ${what}\n  ${style.dim(`${proof}: ${harmless(seen)}`)}`;
  },
});
