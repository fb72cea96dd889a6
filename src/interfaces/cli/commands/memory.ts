import { forget, memories, remember, searchMemories } from "../../../actions/item/memory.js";
import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Input } from "../command.js";
import { optional } from "../input.js";
import { undoNote } from "../render-change.js";
import { renderMemory } from "../render-item.js";

export const memory: Command = {
  name: "memory",
  group: "looking",
  summary: "Keep lessons, and find them again",
  description: [
    "Lessons go into the prompts and bundles of work that they are about, within a limit of tokens; --clean there leaves them",
    "out. Archiving a feature keeps what was learnt in it. `search` lists the most relevant first.",
  ].join("\n"),
  arguments: [
    { name: "add|search|list|forget", help: "what to do" },
    { name: "TEXT", help: "the lesson, the words to look for, or ids such as MEM-001", optional: true, many: true },
  ],
  flags: {
    keyword: { type: "string", multiple: true, value: "WORD", help: "with add: a word by which it is found" },
    for: { type: "string", value: "REF", help: "with add: the feature that it is about" },
  },
  examples: [
    { run: 'planwright memory add "The API allows 10 calls a second" --keyword api', does: "keeps a lesson" },
    { run: "planwright memory search rate limit", does: "the lessons about it, the most relevant first" },
    { run: "planwright memory forget MEM-001", does: "leaves it out from now on; `undo` brings it back" },
  ],
  run: async (input, app) => {
    const [deed = "", ...rest] = input.args;
    const hint = "`planwright memory --help` shows how.";
    if (!Object.hasOwn(DEEDS, deed)) {
      return usage("usage", `planwright memory can add, search, list and forget, not "${deed.slice(0, 60)}".`, {
        hint,
      });
    }
    if (deed !== "list" && rest.length === 0) {
      return usage("usage", `planwright memory ${deed} needs ${deed === "forget" ? "an ID" : "some words"}.`, { hint });
    }
    return (DEEDS[deed] as Deed)(rest, input, app);
  },
};

type Deed = (rest: readonly string[], input: Input, app: App) => Promise<Result<Answer>>;

const DEEDS: Readonly<Record<string, Deed>> = {
  add: async (rest, input, app) => {
    const asked = { text: rest.join(" "), keywords: input.list("keyword"), ...optional("for", input.text("for")) };
    const kept = await remember(await app.open(), asked);
    if (!kept.ok) return kept;
    const { op, isNew, memory: lesson } = kept.value;
    return ok({
      data: kept.value,
      text: (style) => (isNew ? renderMemory(lesson, style) : style.dim(`${lesson.id} says that already.`)),
      note: () => undoNote(op),
    });
  },
  search: async (rest, _, app) => {
    const found = await searchMemories(await app.open(), rest.join(" "));
    if (!found.ok) return found;
    return ok({
      data: found.value,
      text: (style) => found.value.map((lesson) => renderMemory(lesson, style)).join("\n"),
    });
  },
  list: async (_rest, _input, app) => {
    const found = await memories(await app.open());
    if (!found.ok) return found;
    return ok({
      data: found.value,
      text: (style) =>
        found.value.length === 0
          ? style.dim("No lesson is kept.")
          : found.value.map((lesson) => renderMemory(lesson, style)).join("\n"),
      note: () => (found.value.length === 0 ? "planwright memory add TEXT   keeps the first one" : ""),
    });
  },
  forget: async (rest, _, app) => {
    const gone = await forget(await app.open(), rest);
    if (!gone.ok) return gone;
    return ok({
      data: gone.value,
      text: (style) => `${style.dim("−")} forgotten: ${gone.value.forgotten.join(", ")}`,
      note: () => (gone.value.op === null ? "" : `planwright undo ${gone.value.op} brings it back.`),
    });
  },
};
