import { type LevelSet, type LevelView, readLevel, setLevel } from "../../../actions/level/level.js";
import { ok } from "../../../app/vocabulary.js";
import type { Answer, Command, Style } from "../command.js";
import { optional } from "../input.js";
import { notes, undoNote } from "../render-change.js";
import { harmless } from "../style.js";

export const level: Command = {
  name: "level",
  group: "deciding",
  summary: "Show or set how far the daemon may go by itself",
  description:
    "off: it leaves the plan alone. on: it builds what is approved, tidies up, and suggests answers. auto: it also lands green features and applies what it can prove. The lower of the workspace's level and the feature's counts. Only a person raises it; anybody may lower it.",
  arguments: [{ name: "LEVEL", help: "off, on or auto; without it the level is shown", optional: true }],
  flags: {
    feature: { type: "string", value: "REF", help: "of this feature, or the feature around this node" },
    reason: { type: "string", value: "TEXT", help: "why; it is shown with the level" },
  },
  examples: [
    { run: "planwright level", does: "shows the level, and the features that have one of their own" },
    { run: "planwright level on", does: "lets the daemon build what is approved" },
    { run: 'planwright level off --feature FEAT-002 --reason "wait for the review"', does: "holds one feature back" },
  ],
  run: async (input, app) => {
    const context = await app.open();
    const [wanted] = input.args;
    const feature = optional("feature", input.text("feature"));
    if (wanted === undefined) {
      const shown = await readLevel(context, feature);
      return shown.ok ? ok(answerShown(shown.value)) : shown;
    }
    const set = await setLevel(context, { level: wanted, ...feature, ...optional("reason", input.text("reason")) });
    return set.ok ? ok(answerSet(set.value)) : set;
  },
};

const answerShown = (view: LevelView): Answer => ({
  data: view,
  text: (style) => render(view, style),
  note: () =>
    view.level === "off"
      ? `planwright level on${view.feature === null ? "" : ` --feature ${view.feature}`}   lets the daemon build what is approved`
      : "",
});

const answerSet = (set: LevelSet): Answer => ({
  data: set,
  text: (style) => render(set, style),
  note: () =>
    notes(
      set.op === null ? `It was ${set.level} already.` : "",
      set.effective === set.level ? "" : `The workspace is at ${set.effective}, and the lower one counts.`,
      undoNote(set.op),
    ),
});

function render(view: LevelView, style: Style): string {
  const rows = [
    lineOf(view.feature ?? "workspace", view, style),
    ...view.features.map((each) => lineOf(each.id, each, style)),
  ];
  return rows.join("\n");
}

function lineOf(
  name: string,
  { level: own, effective, by, reason }: Pick<LevelView, "level" | "effective" | "by" | "reason">,
  style: Style,
): string {
  const counts = effective === own ? "" : `, counts as ${effective}`;
  const who = by === null ? "" : `  by ${by}${reason === null ? "" : `: ${harmless(reason)}`}`;
  return `${style.bold(name)}  ${own}${counts}${style.dim(who)}`;
}
