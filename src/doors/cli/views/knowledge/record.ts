// Views of records.

import { harmless } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import { undoStep } from "../../text/ids.js";
import { PREVIEW_REPORT } from "../../text/preview-report.js";
import { renderRecordLine } from "../../text/render-item.js";
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

const LISTED = 10;

const approve: ViewOf<"record.approve"> = {
  ...PREVIEW_REPORT,
  text: ({ approved, held, contradictions }, style) =>
    [
      ...approved.map((id) => `${style.green("✓")} ${style.bold(id)}  is in force`),
      ...held.map((id) => style.dim(`${id} was in force already.`)),
      ...contradictions.slice(0, LISTED).map(({ message }) => `${style.yellow("!")} ${message}`),
      ...(contradictions.length > LISTED ? [style.dim(`and ${contradictions.length - LISTED} more`)] : []),
    ].join("\n"),
  note: ({ contradictions }) =>
    contradictions.length === 0 ? "" : "This work was approved before. Change or drop it: it cannot land as it is.",
  next: ({ op, contradictions: [first] }) => [
    ...(first?.task ? [step("show", { reference: first.task })] : []),
    ...undoStep(op),
  ],
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
