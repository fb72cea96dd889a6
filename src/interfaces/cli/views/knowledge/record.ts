// Views of records.

import { step } from "../../../../app/vocabulary.js";
import { undoStep } from "../../text/ids.js";
import { renderRecordLine } from "../../text/render-item.js";
import { harmless } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const add: ViewOf<"record.add"> = {
  text: ({ id, title, state, for: feature }, style) => {
    const scope = feature === null ? "" : style.dim(`  for ${feature}`);
    return `${style.green("+")} ${style.bold(id)}  ${harmless(title)}${scope}  ${style.dim(state)}`;
  },
  note: ({ state }) => (state === "proposed" ? "Not in force until you approve it." : ""),
  next: ({ id, state, op }) => [
    ...(state === "proposed" ? [step("record.approve", { ids: [id] })] : []),
    ...undoStep(op),
  ],
};

const records: ViewOf<"record.list"> = {
  text: (found, style) =>
    found.length === 0 ? style.dim("No records.") : found.map((record) => renderRecordLine(record, style)).join("\n"),
  next: (found) => {
    if (found.length === 0) return [step("record.add", { kind: "decision" }, "title")];
    const proposed = found.filter(({ state }) => state === "proposed").map(({ id }) => id);
    return proposed.length === 0 ? [] : [step("record.approve", { ids: proposed })];
  },
};

const approve: ViewOf<"record.approve"> = {
  text: ({ approved, held }, style) =>
    [
      ...approved.map((id) => `${style.green("✓")} ${style.bold(id)}  is in force`),
      ...held.map((id) => style.dim(`${id} was in force already.`)),
    ].join("\n"),
  next: ({ op }) => undoStep(op),
};

const supersede: ViewOf<"record.supersede"> = {
  text: ({ superseded, by }, style) => `${style.dim(`− ${superseded}`)}\n${renderRecordLine(by, style)}`,
  note: ({ by }) => (by.state === "proposed" ? "Not in force until you approve it." : ""),
  next: ({ by, op }) => [
    ...(by.state === "proposed" ? [step("record.approve", { ids: [by.id] })] : []),
    ...undoStep(op),
  ],
};

export const recordViews = {
  "record.add": add,
  "record.list": records,
  "record.approve": approve,
  "record.supersede": supersede,
};
