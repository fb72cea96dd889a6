// Views of conflicts.

import type { CheckedConflicts, ConflictHistory } from "../../../../actions/conflict/list-conflicts.js";
import { harmless } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import { undoStep } from "../../text/ids.js";
import { renderConflict } from "../../text/render-conflict.js";
import { type Style } from "../../text/style.js";
import { minute } from "../../text/times.js";
import type { ViewOf } from "../../view.js";

const placesIn = ({ files, symbols }: Pick<ConflictHistory, "files" | "symbols">): string =>
  harmless((symbols.length > 0 ? symbols : files).join(", "));

const conflicts: ViewOf<"conflicts.list"> = {
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
};

const show: ViewOf<"conflicts.show"> = {
  text: renderConflict,
  next: ({ id, state }) => (state === "open" ? [step("conflicts.resolve", { id }, "choice")] : []),
};

const check: ViewOf<"conflicts.check"> = {
  text: ({ checked, unknown }, style) =>
    [
      `${style.green("✓")} ${checked.length === 1 ? "1 task" : `${checked.length} tasks`}: no conflicts.`,
      ...withoutFootprint(unknown, style),
    ].join("\n"),
  problems: ({ found, unknown }: CheckedConflicts, style) => {
    const lines = found.map(
      (clash) =>
        `${style.yellow("!")} ${style.bold(clash.second)} and ${style.bold(clash.first)}${clash.inFlight ? " (in progress)" : ""}  ${style.dim(`${clash.layer}:`)} ${placesIn(clash)}`,
    );
    return [...lines, ...withoutFootprint(unknown, style)].join("\n");
  },
};

const withoutFootprint = (ids: readonly string[], style: Style): string[] =>
  ids.length === 0 ? [] : [style.dim(`Not checked, because they name no files: ${ids.join(", ")}`)];

const resolve: ViewOf<"conflicts.resolve"> = {
  text: ({ id, state, effect }, style) => `${style.green("✓")} ${style.bold(id)} is ${state}: ${harmless(effect)}`,
  next: ({ id, state, op }) => [...(state === "open" ? [step("conflicts.show", { id })] : []), ...undoStep(op)],
};

const history: ViewOf<"conflicts.history"> = {
  text: (steps, style) =>
    steps.length === 0
      ? style.dim("No conflicts.")
      : steps
          .map(
            ({ at, by, id, first, second, what }) =>
              `${style.dim(minute(at))}  ${style.bold(id)}  ${second} and ${first}: ${harmless(what)} (${by})`,
          )
          .join("\n"),
};

export const conflictViews = {
  "conflicts.list": conflicts,
  "conflicts.show": show,
  "conflicts.check": check,
  "conflicts.resolve": resolve,
  "conflicts.history": history,
};
