// Operations on the level: how far the daemon may go by itself.

import { readLevel, setLevel } from "../../../actions/level/level.js";
import { isPerson } from "../../../model/actor.js";
import { ok } from "../../../model/result.js";
import { LEVELS } from "../../../model/rules/level.js";
import { operation } from "../../operation.js";
import { choice, filled, flag, input, node, optional } from "../../schema.js";

const feature = () => optional(node("this feature, or the feature around this node; the workspace unless given"));

const show = operation({
  name: "level.show",
  summary: "Show how far the daemon may go by itself",
  description:
    "off: it leaves the plan alone. on: it builds what is approved, tidies up, and suggests answers. auto: it also lands green features and applies what it can prove. The lower of the workspace's level and the feature's counts.",
  who: "both",
  effect: "reads",
  input: () => input({ in: feature() }),
  examples: [{ input: {}, does: "shows the level, and the features that have one of their own" }],
  run: readLevel,
});

const set = operation({
  name: "level.set",
  summary: "Set how far the daemon may go by itself",
  description:
    "off: it leaves the plan alone. on: it builds what is approved, tidies up, and suggests answers. auto: it also lands green features and applies what it can prove. Only a person raises the level; an agent may lower it. Without a sandbox, auto asks you once and records your yes.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      level: choice(LEVELS, "how far"),
      in: feature(),
      reason: optional(filled("why; shown with the level")),
      withoutSandbox: optional(flag("allow auto although nothing confines workers here")),
    }),
  examples: [
    { input: { level: "on" }, does: "lets the daemon build what is approved" },
    { input: { level: "off", in: "FEAT-002", reason: "wait for the review" }, does: "holds one feature back" },
  ],
  run: async (session, { withoutSandbox = false, ...asked }) => {
    const needsAsking = asked.level === "auto" && isPerson(session.actor);
    const allowed = needsAsking
      ? await (await import("../../safety/sandbox-here.js")).allowUnconfined(session, { ...asked, withoutSandbox })
      : ok(false);
    return allowed.ok ? setLevel(session, { ...asked, unconfined: allowed.value }) : allowed;
  },
});

export const levelOperations = { "level.show": show, "level.set": set };
