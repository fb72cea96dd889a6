import { step } from "../../model/next-step.js";
import { readLevel } from "../../plan/level/level.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { feature } from "./level-shared.js";
import { render } from "./level-text.js";

export const input = fields({ in: feature() });

export const verb = planVerb({
  name: "level.show",
  command: { words: "level", group: "decide" },
  summary: "Show how far the daemon may go by itself",
  description:
    "off: it leaves the plan alone. on: it builds what is approved, tidies up, and suggests answers. auto: it also lands green features and applies what it can prove. The lower of the workspace's level and the feature's counts.",
  who: "both",
  effect: "reads",
  session: "level",
  tools: [{ tool: "find", action: "level", fields: ["in"] }],
  input,
  examples: [{ input: {}, does: "shows the level, and the features that have one of their own" }],
  run: readLevel,
  text: render,
  next: ({ level, feature }) =>
    level === "off" ? [step("level.set", { level: "on", ...(feature === null ? {} : { in: feature }) })] : [],
});
