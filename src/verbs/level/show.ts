import { type LevelView, readLevel } from "../../plan/level/level.js";
import { fields, harmless, type NextStep, node, optional, planVerb, type Style, step } from "../kit/verb.js";

export const feature = () =>
  optional(node("this feature, or the feature around this node; the workspace unless given"));

export const input = fields({ in: feature() });

export const verb = planVerb({
  command: { words: "level show", hidden: true, group: "decide" },
  summary: "Show how far the daemon may go by itself",
  description:
    "off: it leaves the plan alone. on: it builds what is approved, tidies up, and suggests answers. auto: it also lands green features and applies what it can prove. The lower of the workspace's level and the feature's counts.",
  effect: "reads",
  session: "level",
  tools: [{ tool: "find", action: "level", fields: ["in"] }],
  input,
  examples: [{ input: {}, does: "shows the level, and the features that have one of their own" }],
  run: readLevel,
  text: render,
  next: raiseSteps,
});

export function raiseSteps({ level, feature: node }: Pick<LevelView, "level" | "feature">): NextStep[] {
  return level === "off" ? [step("level", { level: "on", ...(node !== null && { in: node }) })] : [];
}

export function render(view: LevelView, style: Style): string {
  const features = view.features.map((each) => lineOf(each.id, each, style));
  const { feature: name, by, effective } = view;
  if (name !== null && by === null) return `${style.bold(name)}  follows the workspace: ${effective}`;
  return [lineOf(name ?? "workspace", view, style), ...features].join("\n");
}

function lineOf(name: string, view: Omit<LevelView["features"][number], "id">, style: Style): string {
  const { level: own, effective, by, reason, unconfined } = view;
  const counts = effective === own ? "" : `, counts as ${effective}`;
  const who = by === null ? "" : `  by ${by}${reason === null ? "" : `: ${harmless(reason)}`}`;
  const despite = unconfined ? ", without a sandbox" : "";
  return `${style.bold(name)}  ${own}${counts}${despite}${style.dim(who)}`;
}
