import { type Clash, type Conflict, clashesAmong } from "../../model/conflict/conflict.js";
import type { Item } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { resolveAll } from "../../plan/base/resolve.js";
import { IN_FLIGHT } from "../../plan/holds/hold-reader.js";
import { findItem } from "../../plan/item/find-item.js";
import { isoTime } from "../../plan/node/view.js";
import type { Reader } from "../../store/store.js";
import { fields, flag, optional } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { harmless, minute } from "../text/wording.js";

export const placesIn = ({ files, symbols }: Pick<ConflictHistory, "files" | "symbols">): string =>
  harmless((symbols.length > 0 ? symbols : files).join(", "));

export const input = fields({ open: optional(flag("only those that are not settled")) });

export const verb = planVerb({
  name: "conflicts.list",
  command: { words: "conflicts", group: "decide", aliases: [{ words: "conflicts list" }] },
  summary: "List tasks that conflict, and which one goes first",
  description:
    "Two tasks that overlap never run together. Overlaps are found by the files and symbols of their footprints before they begin, and by a merge of their branches while they are worked on.",
  who: "both",
  effect: "reads",
  phrases: [
    "conflict",
    "collision",
    "overlap",
    "incompatible",
    "conflicts list",
    "list conflicts",
    "are there conflicts",
    "are there any conflicts",
  ],
  tools: [{ tool: "find", action: "conflicts", fields: ["open"], pages: "" }],
  input,
  examples: [{ input: { open: true }, does: "shows which task waits for which, and where they overlap" }],
  run: listConflicts,
  text: (found, style) =>
    found.length === 0
      ? style.dim("No conflicts.")
      : found
          .map((conflict) => {
            const { id, state, first, second, layer, arbitration, resolution } = conflict;
            const decided =
              state === "open" ? style.yellow(arbitration) : style.dim(`settled: ${harmless(resolution ?? "")}`);
            return `${style.bold(id)}  ${second} after ${first}  ${style.dim(`${layer}:`)} ${placesIn(conflict)}  ${decided}`;
          })
          .join("\n"),
  next: (found) => {
    const first = found.find(({ state }) => state === "open");
    return first ? [step("conflicts.show", { id: first.id })] : [];
  },
});

export interface ConflictView
  extends Pick<Conflict, "layer" | "state" | "files" | "symbols" | "arbitration" | "resolution"> {
  readonly id: string;
  /** The one that goes first, and the one that waits. */
  readonly first: string;
  readonly second: string;
  readonly detectedAt: string;
  readonly detectedBy: string;
  readonly settledAt: string | null;
  readonly settledBy: string | null;
}

export interface ConflictHistory extends ConflictView {
  readonly steps: readonly { readonly at: string; readonly by: string; readonly what: string }[];
}

interface PossibleConflict extends Pick<Conflict, "layer" | "files" | "symbols"> {
  readonly first: string;
  readonly second: string;
  /** The one that goes first is in progress. */
  readonly inFlight: boolean;
}

export interface CheckedConflicts {
  readonly checked: readonly string[];
  readonly found: readonly PossibleConflict[];
  /** Tasks that name no files, so nothing is known about them. */
  readonly unknown: readonly string[];
}

/** More than one screen; those in flight are all looked at. */
const READY = 200;
/** Every two are compared, so twice as many take four times as long. */
const MOST = 1_000;

export const toConflictView = async (reader: Reader, { key, fields }: Item<"conflict">): Promise<ConflictHistory> => ({
  id: key,
  layer: fields.layer,
  state: fields.state,
  first: (await reader.idOf(fields.first)) ?? `#${fields.first}`,
  second: (await reader.idOf(fields.second)) ?? `#${fields.second}`,
  files: fields.files,
  symbols: fields.symbols,
  arbitration: fields.arbitration,
  resolution: fields.resolution,
  detectedAt: isoTime(fields.detectedAt),
  detectedBy: fields.detectedBy,
  settledAt: fields.settledAt === null ? null : isoTime(fields.settledAt),
  settledBy: fields.settledBy,
  steps: fields.steps.map(({ at, by, what }) => ({ at: isoTime(at), by, what })),
});

/** With everything that was decided about them, oldest first. */
export function listConflicts(context: Context, { open = false } = {}): Promise<Result<ConflictHistory[]>> {
  return context.store.read(async (reader) => {
    const views: ConflictHistory[] = [];
    for (const item of await reader.items("conflict", open ? { state: "open" } : {}))
      views.push(await toConflictView(reader, item));
    return ok(views);
  });
}

type HistoryStep = ConflictHistory["steps"][number] & Pick<ConflictView, "id" | "first" | "second">;

/** Every step of every conflict, oldest first. */
export async function conflictHistory(context: Context): Promise<Result<HistoryStep[]>> {
  const found = await listConflicts(context);
  if (!found.ok) return found;
  const steps = found.value.flatMap(({ id, first, second, steps: own }) =>
    own.map((each) => ({ ...each, id, first, second })),
  );
  return ok(steps.sort((x, y) => (x.at < y.at ? -1 : 1)));
}

export function showConflict(context: Context, { id }: { readonly id: string }): Promise<Result<ConflictHistory>> {
  return context.store.read(async (reader) => {
    const found = await findItem(reader, "conflict", id);
    return found.ok ? ok(await toConflictView(reader, found.value)) : found;
  });
}

/** Compares named tasks with all that is ready or in progress; without any, compares all of those with each other. */
export function checkConflicts(context: Context, references: readonly string[]): Promise<Result<CheckedConflicts>> {
  return context.store.read(async (reader) => {
    const inFlight = await reader.claimed({ limit: IN_FLIGHT });
    const ready = await reader.claimable({ limit: READY });
    if (references.length === 0) {
      const all = [...inFlight, ...ready];
      return ok(toChecked(all, clashesAmong(all)));
    }
    const named = await resolveAll(reader, references, context.actor);
    if (!named.ok) return named;
    const tasks = await tasksIn(reader, named.value);
    if (tasks.length > MOST) return tooMany(tasks.length);
    const isNamed = new Set(tasks.map(({ nr }) => nr));
    const others = [...inFlight, ...ready].filter(({ nr }) => !isNamed.has(nr));
    const found: Clash[] = [];
    for (const clash of clashesAmong([...others, ...tasks])) {
      const asked = isNamed.has(clash.first.nr) || isNamed.has(clash.second.nr);
      if (asked && !(await areOrdered(reader, clash))) found.push(clash);
    }
    return ok(toChecked(tasks, found));
  });
}

const tooMany = (count: number): Result<never> =>
  refused("too-many", `${count} open tasks are too many to compare. Name a story or at most ${MOST} tasks.`, {
    details: { count, most: MOST },
    next: [step("lint")],
  });

/** A container stands for the open tasks in it. */
async function tasksIn(reader: Reader, nodes: readonly Node[]): Promise<Node[]> {
  const found = new Map<number, Node>();
  for (const node of nodes) {
    const below = node.tier === "task" ? [node] : await reader.descendants(node.nr);
    for (const task of below) if (task.tier === "task" && task.outcome === null) found.set(task.nr, task);
  }
  return [...found.values()];
}

/** One waits for the other already, directly or not. */
async function areOrdered(reader: Reader, { first, second }: Clash): Promise<boolean> {
  const after = await reader.path([second.nr], [first.nr]);
  return after !== undefined || (await reader.path([first.nr], [second.nr])) !== undefined;
}

const toChecked = (tasks: readonly Node[], clashes: readonly Clash[]): CheckedConflicts => ({
  checked: tasks.map(({ id }) => id),
  found: clashes.map(({ layer, first, second, files, symbols }) => ({
    layer,
    first: first.id,
    second: second.id,
    files,
    symbols,
    inFlight: first.claim !== null,
  })),
  unknown: tasks
    .filter(({ kind, files, symbols }) => kind === "work" && files.length === 0 && symbols.length === 0)
    .map(({ id }) => id),
});

const LABEL = 18;

export function renderConflict(conflict: ConflictHistory, style: Style): string {
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
