import { isPerson } from "../../model/actor.js";
import { LEVELS } from "../../model/item/person.js";
import { ok } from "../../model/result.js";
import { setLevel } from "../../plan/level/level.js";
import { choice, fields, filled, flag, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { notes, undoStep } from "../text/ids.js";
import { feature } from "./level-shared.js";
import { render } from "./level-text.js";

export const input = fields({
  level: choice(LEVELS, "how far"),
  in: feature(),
  reason: optional(filled("why; shown with the level")),
  withoutSandbox: optional(flag("allow auto although nothing confines workers here")),
});

export const verb = planVerb({
  name: "level.set",
  command: {
    words: "level off",
    group: "decide",
    fixed: { level: "off" },
    aliases: [
      { words: "level on", fixed: { level: "on" }, shown: true },
      { words: "level auto", fixed: { level: "auto" }, shown: true },
    ],
  },
  summary: "Set how far the daemon may go by itself",
  description:
    "off: it leaves the plan alone. on: it builds what is approved, tidies up, and suggests answers. auto: it also lands green features and applies what it can prove. Only a person raises the level; an agent may lower it. Without a sandbox, auto asks you once and records your yes.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "decide", action: "level", fields: ["level", "in", "reason"] }],
  input,
  examples: [
    { input: { level: "on" }, does: "lets the daemon build what is approved" },
    { input: { level: "off", in: "FEAT-002", reason: "wait for the review" }, does: "holds one feature back" },
  ],
  run: async (session, { withoutSandbox = false, ...asked }) => {
    const needsAsking = asked.level === "auto" && isPerson(session.actor);
    const allowed = needsAsking
      ? await (await import("../safety/sandbox-here.js")).allowUnconfined(session, { ...asked, withoutSandbox })
      : ok(false);
    return allowed.ok ? setLevel(session, { ...asked, unconfined: allowed.value }) : allowed;
  },
  text: render,
  note: ({ op, level, effective }) =>
    notes(
      op === null ? `It was ${level} already.` : "",
      effective === level ? "" : `The workspace is at ${effective}, and the lower one counts.`,
    ),
  next: ({ op }) => undoStep(op),
});
