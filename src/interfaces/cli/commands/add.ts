import { type Addition, add as addNodes } from "../../../actions/node/add.js";
import { parseAddition, parseNodeLines } from "../../../actions/node/node-lines.js";
import { KINDS, ok, type Result, TIERS, usage } from "../../../app/vocabulary.js";
import type { App, Command, Flag, Input } from "../command.js";
import { contentFlags, contentOf } from "../content-flags.js";
import { readText } from "../read-text.js";

const FROM: Flag = {
  type: "string",
  value: "FILE|-",
  help: "read nodes from a file or from standard input, one JSON object per line",
};

export const add: Command = {
  name: "add",
  group: "making",
  summary: "Add a node, or many from a file",
  description: [
    "A task or story without a parent goes to the inbox, where nothing runs; a feature or initiative goes below the mission.",
    "With --from, each line is an object with the fields id, tier, kind, title, body, parent, dependsOn, files, symbols, checks",
    "({run, expect, timeoutS, cwd}), profile, priority, estimateHours, budgets ({attempts, replans}). Lines may refer to ids of",
    "other lines in any order. All of it is one operation: one bad line, and nothing is added. A line whose id is in the plan",
    "already changes that node's content and never its progress.",
  ].join("\n"),
  arguments: [{ name: "TITLE", help: "what is to be done", optional: true }],
  flags: {
    from: FROM,
    id: { type: "string", value: "ID", help: "an id of your own; otherwise one is minted" },
    tier: {
      type: "string",
      choices: TIERS,
      value: "TIER",
      help: "mission, initiative, feature, story or task (the default)",
    },
    kind: {
      type: "string",
      choices: KINDS.filter((k) => k !== "land"),
      value: "KIND",
      help: "of a task: work (the default), gate or review",
    },
    parent: { type: "string", short: "p", value: "REF", help: "the node that will contain it" },
    on: { type: "string", multiple: true, value: "REF", help: "a node that it depends on" },
    ...contentFlags,
  },
  examples: [
    {
      run: 'planwright add "Parse the config file" --parent FEAT-001 --file src/config.ts --check "npm test"',
      does: "adds a task",
    },
    { run: "planwright add --from plan.jsonl", does: "adds every node of the file, or none" },
  ],
  run: async (input, app) => {
    const additions = await readAdditions(input, app);
    if (!additions.ok) return additions;
    const added = await addNodes(await app.open(), additions.value);
    if (!added.ok) return added;
    const { added: ids, changed, unchanged } = added.value;
    return ok({
      data: { op: added.value.op, added: ids, changed, unchanged, id: ids.length === 1 ? ids[0] : undefined },
      text: (style) => {
        const lines =
          ids.length <= 20
            ? ids.map((id) => `${style.green("+")} ${style.bold(id)}`)
            : [`${style.green("+")} ${ids.length} nodes`];
        if (changed.length > 0) lines.push(`${style.yellow("~")} ${changed.length} changed`);
        if (unchanged > 0) lines.push(style.dim(`= ${unchanged} as they were`));
        return lines.join("\n");
      },
      note: () => (ids.length === 0 ? "" : nextStep(ids, input)),
    });
  },
};

function nextStep(ids: readonly string[], input: Input): string {
  const id = ids.length === 1 ? (ids[0] as string) : "REF";
  const tier = input.text("tier") ?? "task";
  const inInbox = !input.has("from") && !input.has("parent") && (tier === "task" || tier === "story");
  return inInbox
    ? `It is in the inbox, where nothing runs. A person takes it out: planwright approve ${id} --to FEATURE`
    : `Nothing runs before a person approves it: planwright approve ${id}`;
}

async function readAdditions(input: Input, app: App): Promise<Result<Addition[]>> {
  const from = input.text("from");
  const [title] = input.args;
  if (from === undefined) {
    if (title === undefined)
      return usage("usage", "planwright add needs a TITLE, or --from FILE.", {
        hint: "`planwright add --help` shows both.",
      });
    const [id, tier, kind, parent] = ["id", "tier", "kind", "parent"].map((flag) => input.text(flag));
    const on = input.list("on");
    const node = { id, tier, kind, parent, title, dependsOn: on.length > 0 ? on : undefined, ...contentOf(input) };
    const addition = parseAddition(node, "add");
    return addition.ok ? ok([addition.value]) : addition;
  }
  if (title !== undefined) return usage("usage", "A TITLE and --from cannot be given together.");
  const text = await readText(from, app);
  return text.ok ? parseNodeLines(text.value) : text;
}
