import { basename } from "node:path";
import { type InitInput, init as initPlan, judgeTitles } from "../../../actions/node/init.js";
import { absent, ok } from "../../../app/vocabulary.js";
import type { App, Command, Input } from "../command.js";
import { optional } from "../input.js";

export const init: Command = {
  name: "init",
  aliases: ["bootstrap"],
  group: "making",
  summary: "Start a plan here",
  description: [
    "Makes the plan with its mission, an inbox where ideas wait and nothing ever runs, and a feature for bugs. In a git",
    "repository it stands at the top of the main working tree and serves every linked worktree. At a terminal it asks;",
    "with any of its flags, with --yes or without a terminal it does not. Where there is a plan already, nothing changes.",
  ].join("\n"),
  flags: {
    mission: { type: "string", value: "TEXT", help: "what it is all for; the folder's name unless given" },
    initiative: { type: "string", value: "TEXT", help: "a first initiative" },
    feature: { type: "string", multiple: true, value: "TEXT", help: "a first feature" },
    yes: { type: "boolean", short: "y", help: "ask nothing" },
  },
  examples: [
    { run: "planwright init", does: "asks what the plan is for, and starts it" },
    {
      run: 'planwright init --mission "A faster checkout" --feature "One page" --feature "Saved cards"',
      does: "starts a plan with two features, without asking",
    },
  ],
  run: async (input, app) => {
    const wishes = await wishesFor(input, app);
    if (!wishes) return absent("canceled", "Nothing was made.", { hint: "`planwright init` asks again." });
    const judged = judgeTitles(app.workspace().root, wishes);
    if (!judged.ok) return judged;
    const { context, store } = await app.create();
    const made = await initPlan(context, { ...wishes, store });
    if (!made.ok) return made;
    const { root, created, added } = made.value;
    return ok({
      data: made.value,
      text: (style) =>
        created
          ? [`${style.green("✓")} A plan is started in ${style.bold(root)}`, ...added.map((id) => `  + ${id}`)].join(
              "\n",
            )
          : `There is a plan in ${style.bold(root)} already${added.length > 0 ? `; ${added.join(", ")} was missing` : "; nothing was changed"}.`,
      note: () =>
        created
          ? 'Next: planwright plan docs/spec.md (a spec, or an idea in quotes), or by hand: planwright add --tier feature "A feature".'
          : "`planwright status` shows it.",
    });
  },
};

type Wishes = Omit<InitInput, "store">;

async function wishesFor(input: Input, app: App): Promise<Wishes | undefined> {
  const said = ["mission", "initiative", "feature", "yes"].some((flag) => input.has(flag));
  const { root, exists } = app.workspace();
  if (said || input.json || exists || !app.interactive) {
    return {
      ...optional("mission", input.text("mission")),
      ...optional("initiative", input.text("initiative")),
      features: input.list("feature"),
    };
  }
  const { interview } = await import("../interview.js");
  return interview(root, basename(root));
}
