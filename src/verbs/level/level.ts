import { isPerson } from "../../model/actor.js";
import { LEVELS } from "../../model/item/level.js";
import { type LevelSet, type LevelView, readLevel, setLevel } from "../../plan/level/level.js";
import { choice, fields, filled, flag, ok, optional, planVerb, type Result, step, undoStep } from "../kit/verb.js";
import { feature, raiseSteps, render } from "./show.js";

export const input = fields({
  level: optional(choice(LEVELS, "how far; without it, the level is only shown", "LEVEL")),
  in: feature(),
  reason: optional(filled("why; shown with the level")),
  unsandboxed: optional(flag("allow auto without a sandbox on this machine, if it has none")),
});

export const verb = planVerb({
  command: { words: "level", group: "decide", positional: ["level"] },
  summary: "Show or set how far the daemon may go by itself",
  description:
    "off: it leaves the plan alone. on: it builds what is approved, tidies up, and suggests answers. auto: it also lands green features and applies what it can prove. The lower of the workspace's level and the feature's counts. Only a person raises the level; an agent may lower it. Without a sandbox, auto asks you once and records your yes.",
  effect: "writes",
  looksOnly: ({ level }) => level === undefined,
  tools: [{ tool: "decide", action: "level", fields: ["level", "in", "reason"] }],
  input,
  examples: [
    { input: {}, does: "shows the level, and the features that have one of their own" },
    { input: { level: "on" }, does: "lets the daemon build what is approved" },
    { input: { level: "off", in: "FEAT-002", reason: "wait for the review" }, does: "holds one feature back" },
  ],
  run: async (session, { unsandboxed, level, ...where }): Promise<Result<LevelView & Partial<LevelSet>>> => {
    if (level === undefined) return readLevel(session, where);
    const asked = { ...where, level };
    const needsAsking = level === "auto" && isPerson(session.actor);
    const allowed = needsAsking
      ? await (await import("../safety/sandbox-here.js")).allowAuto(
          session,
          unsandboxed,
          step("level", { ...asked, unsandboxed: true }),
        )
      : ok(false);
    return allowed.ok ? setLevel(session, { ...asked, unconfined: allowed.value }) : allowed;
  },
  text: render,
  note: ({ op, level, effective }) => [
    op === null && `It was ${level} already.`,
    effective !== level && `The workspace is at ${effective}, and the lower one counts.`,
  ],
  next: ({ op = null, ...view }) => (op === null ? raiseSteps(view) : undoStep(op)),
});
