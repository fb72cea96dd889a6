import type { Conflict } from "../../model/conflict/conflict.js";
import { isoTime } from "../../model/iso-time.js";
import type { Context } from "../../plan/base/context.js";
import type { Reader } from "../../store/store.js";
import { fields, flag, type Item, ok, optional, planVerb, type Result, type Style, spoken, step } from "../kit/verb.js";
import { harmless, linesOr, minute } from "../kit/wording.js";

export const input = fields({ open: optional(flag("only those that are not settled")) });

export const verb = planVerb({
  command: { words: "conflicts", group: "decide", aliases: ["conflicts list"] },
  summary: "List tasks that conflict, and which one goes first",
  description:
    "Two tasks that overlap never run together. Overlaps are found by the files and symbols of their footprints before they begin, and by a merge of their branches while they are worked on.",
  effect: "reads",
  phrases: spoken(
    "conflict, conflicts, collision, collide, overlap, overlaps, clash, clashes, incompatible, conflicts list, " +
      "list conflicts, are there conflicts, are there any conflicts, in conflict, touch the same files, " +
      "touch the same file, touching the same files, change the same files, each other's toes, each others toes, " +
      "same files, same file, interfere, fight over, overlapping, conflicting, colliding, clashing",
  ),
  emptyWords:
    "show list display print check give me between each other another one these those they them two both with we " +
    "open stepping step on would anything something could will touch touching change changing work working",
  tools: [{ tool: "find", action: "conflicts", fields: ["open"], pages: "" }],
  input,
  examples: [{ input: { open: true }, does: "shows which task waits for which, and where they overlap" }],
  run: listConflicts,
  text: linesOr("No conflicts.", (conflict, style) => {
    const { id, state, first, second, layer, arbitration, resolution } = conflict;
    const decided = state === "open" ? style.yellow(arbitration) : style.dim(`settled: ${harmless(resolution ?? "")}`);
    return `${style.bold(id)}  ${second} after ${first}  ${style.dim(`${layer}:`)} ${placesIn(conflict)}  ${decided}`;
  }),
  next: (found) => {
    const first = found.find(({ state }) => state === "open");
    return first ? [step("conflicts.show", { id: first.id })] : [];
  },
});

export const placesIn = ({ files, symbols }: Pick<Conflict, "files" | "symbols">): string =>
  harmless((symbols.length > 0 ? symbols : files).join(", "));

export type ConflictView = Awaited<ReturnType<typeof toConflictView>>;

export const toConflictView = async (reader: Reader, { key, fields }: Item<"conflict">) => ({
  id: key,
  ...fields,
  /** The one that goes first, and the one that waits. */
  first: (await reader.idOf(fields.first)) ?? `#${fields.first}`,
  second: (await reader.idOf(fields.second)) ?? `#${fields.second}`,
  detectedAt: isoTime(fields.detectedAt),
  settledAt: fields.settledAt === null ? null : isoTime(fields.settledAt),
  steps: fields.steps.map(({ at, by, what }) => ({ at: isoTime(at), by, what })),
});

export function listConflicts(context: Context, { open = false } = {}): Promise<Result<ConflictView[]>> {
  return context.store.read(async (reader) => {
    const items = await reader.items("conflict", open ? { state: "open" } : {});
    return ok(await Promise.all(items.map((item) => toConflictView(reader, item))));
  });
}

const LABEL = 18;

export function renderConflict(conflict: ConflictView, style: Style): string {
  const { id, state, layer, first, second, files, symbols, arbitration, steps } = conflict;
  const row = (label: string, text: string): string => `  ${style.dim(label.padEnd(LABEL))}${harmless(text)}`;
  return [
    `${style.bold(id)}  ${second} conflicts with ${first}`,
    row("state", `${state} (${arbitration})`),
    row("first", first),
    row("waits", second),
    row("found by", layer),
    row("files", files.join(", ")),
    ...(symbols.length > 0 ? [row("symbols", symbols.join(", "))] : []),
    ...steps.map(({ at, by, what }) => row(minute(at).slice(5), `${what} (${by})`)),
  ].join("\n");
}
