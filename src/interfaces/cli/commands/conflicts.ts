import {
  type CheckedConflicts,
  type ConflictHistory,
  checkConflicts,
  conflicts as listConflicts,
  showConflict,
} from "../../../actions/conflict/list-conflicts.js";
import { resolveConflict } from "../../../actions/conflict/resolve-conflict.js";
import { CONFLICT_CHOICES, ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Input, Style } from "../command.js";
import { notes, undoNote } from "../render-change.js";
import { renderConflict } from "../render-conflict.js";
import { harmless } from "../style.js";
import { minute } from "../times.js";

const PROBLEMS = 1;

export const conflicts: Command = {
  name: "conflicts",
  group: "deciding",
  summary: "Show tasks that get into each other's way, and decide which goes first",
  description: [
    "Two tasks that overlap never run together: by the files or the symbols of their footprints before they begin, and by a merge of",
    "their branches while they are worked on. `list` (--open: only those) and `show ID` show what was found and what was done about it,",
    "`history` everything that was decided. `check [REF...]` looks at what is ready and under way, or at the tasks that you name, and",
    "writes nothing; it exits with 1 if any overlap. `resolve ID CHOICE` decides; `undo` takes a decision back:",
    "  sequential       one after the other, both as they are planned",
    "  accept-proposed  the one that waits goes first as it is planned; the other waits, and needs a new approval",
    "  accept-blocker   the one that goes first stays as it is planned; the other waits, and needs a new approval",
    "  freeze-both      both stop; it stays open",
    "  escalate         the one that waits stops, and a question is put to a person; it stays open",
  ].join("\n"),
  arguments: [
    { name: "list|show|check|resolve|history", help: "what to do; `list` if left out", optional: true },
    { name: "ID", help: "such as CONFLICT-00001, and a CHOICE; with check: tasks", optional: true, many: true },
  ],
  flags: { open: { type: "boolean", help: "with list: only those that hold somebody back" } },
  examples: [
    { run: "planwright conflicts --open", does: "who waits for whom, and where they meet" },
    { run: "planwright conflicts check FEAT-001", does: "what would overlap; writes nothing" },
    { run: "planwright conflicts resolve CONFLICT-00001 sequential", does: "one after the other" },
  ],
  run: async (input, app) => {
    const [deed = "list", ...rest] = input.args;
    const hint = "`planwright conflicts --help` shows how.";
    if (!Object.hasOwn(DEEDS, deed)) {
      const words = Object.keys(DEEDS).join(", ");
      return usage("usage", `planwright conflicts can ${words}, not "${deed.slice(0, 60)}".`, { hint });
    }
    const { takes, ...doing } = DEEDS[deed] as Deed;
    if (takes !== null && rest.length !== takes.length) {
      const needed = takes.length === 0 ? "nothing else" : takes.join(" and ");
      return usage("usage", `planwright conflicts ${deed} needs ${needed}.`, { hint });
    }
    return doing.run(rest, input, app);
  },
};

interface Deed {
  /** What has to follow; null: any number of tasks. */
  readonly takes: readonly string[] | null;
  run(rest: readonly string[], input: Input, app: App): Promise<Result<Answer>>;
}

const DEEDS: Readonly<Record<string, Deed>> = {
  list: {
    takes: [],
    run: async (_, input, app) => {
      const open = input.has("open");
      const found = await listConflicts(await app.open(), { open });
      const first = found.find(({ state }) => state === "open");
      return ok({
        data: found,
        text: (style) =>
          found.length === 0
            ? style.dim(open ? "Nobody is in anybody's way." : "There were no conflicts yet.")
            : found.map((conflict) => lineOf(conflict, style)).join("\n"),
        note: () => (first ? `planwright conflicts show ${first.id}   says more, and how to decide it` : ""),
      });
    },
  },
  show: {
    takes: ["an ID"],
    run: async ([id = ""], _, app) => {
      const found = await showConflict(await app.open(), id);
      if (!found.ok) return found;
      const { id: key, state } = found.value;
      return ok({
        data: found.value,
        text: (style) => renderConflict(found.value, style),
        note: () =>
          state === "open" ? `planwright conflicts resolve ${key} CHOICE   (${CONFLICT_CHOICES.join(", ")})` : "",
      });
    },
  },
  check: {
    takes: null,
    run: async (rest, _, app) => {
      const checked = await checkConflicts(await app.open(), rest);
      if (!checked.ok) return checked;
      return ok({
        data: checked.value,
        exit: checked.value.found.length > 0 ? PROBLEMS : 0,
        text: (style) => renderCheck(checked.value, style),
        note: () => checkNote(checked.value),
      });
    },
  },
  resolve: {
    takes: ["an ID", `a CHOICE (${CONFLICT_CHOICES.join(", ")})`],
    run: async ([id = "", choice = ""], _, app) => {
      const resolved = await resolveConflict(await app.open(), { id, choice });
      if (!resolved.ok) return resolved;
      const { op, id: key, state, effect } = resolved.value;
      return ok({
        data: resolved.value,
        text: (style) => `${style.green("✓")} ${style.bold(key)} is ${state}: ${harmless(effect)}`,
        note: () => notes(state === "open" ? `planwright conflicts show ${key}   shows the choices` : "", undoNote(op)),
      });
    },
  },
  history: {
    takes: [],
    run: async (_rest, _input, app) => {
      const found = await listConflicts(await app.open(), { open: false });
      const steps = found
        .flatMap(({ id, first, second, steps: own }) => own.map((step) => ({ ...step, id, first, second })))
        .sort((a, b) => (a.at < b.at ? -1 : 1));
      return ok({
        data: steps,
        text: (style) =>
          steps.length === 0
            ? style.dim("There were no conflicts yet.")
            : steps
                .map(
                  ({ at, by, id, first, second, what }) =>
                    `${style.dim(minute(at))}  ${style.bold(id)}  ${second} and ${first}: ${harmless(what)} (${by})`,
                )
                .join("\n"),
      });
    },
  },
};

const placesIn = ({ files, symbols }: Pick<ConflictHistory, "files" | "symbols">): string =>
  harmless((symbols.length > 0 ? symbols : files).join(", "));

function lineOf(conflict: ConflictHistory, style: Style): string {
  const { id, state, first, second, layer, arbitration, resolution } = conflict;
  const stands = state === "open" ? style.yellow(arbitration) : style.dim(`settled: ${harmless(resolution ?? "")}`);
  return `${style.bold(id)}  ${second} after ${first}  ${style.dim(`${layer}:`)} ${placesIn(conflict)}  ${stands}`;
}

function renderCheck({ checked, found, unknown }: CheckedConflicts, style: Style): string {
  const lines = found.map(
    (clash) =>
      `${style.yellow("!")} ${style.bold(clash.second)} and ${style.bold(clash.first)}${clash.inFlight ? " (under way)" : ""}  ${style.dim(`${clash.layer}:`)} ${placesIn(clash)}`,
  );
  const clear = `${style.green("✓")} ${checked.length === 1 ? "1 task" : `${checked.length} tasks`}: nobody is in anybody's way.`;
  const silent =
    unknown.length === 0 ? [] : [style.dim(`Without a footprint, so nothing is known: ${unknown.join(", ")}`)];
  return [...(lines.length === 0 ? [clear] : lines), ...silent].join("\n");
}

const checkNote = ({ found, unknown }: CheckedConflicts): string => {
  if (found.length > 0) return "They do not run together: whichever begins first is waited for.";
  return unknown.length === 0 ? "" : `planwright link ${unknown[0] as string} --file PATH   says what it will touch`;
};
