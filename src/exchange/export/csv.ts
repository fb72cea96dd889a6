// One row per node, for spreadsheets and for the import pages of trackers.

import type { PlanTree } from "./plan-tree.js";

const HEADERS = [
  "ID",
  "Tier",
  "Kind",
  "Title",
  "Status",
  "Parent",
  "Depends on",
  "Priority",
  "Estimate hours",
  "Labels",
  "Files",
  "Description",
  "UUID",
];

/** A spreadsheet takes what begins with these for a formula, so an apostrophe stands before it. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (value: string): string => {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export function csvTable({ all }: PlanTree): string {
  const ids = new Map(all.map(({ node }) => [node.nr, node.id]));
  const rows = all.map(({ node, standing, waitsFor, labels }) => [
    node.id,
    node.tier,
    node.kind ?? "",
    node.title,
    standing,
    node.parent === null ? "" : (ids.get(node.parent) ?? ""),
    waitsFor.join(", "),
    node.priority === null ? "" : String(node.priority),
    node.estimateHours === null ? "" : String(node.estimateHours),
    labels.join(", "),
    node.files.join(", "),
    node.body,
    node.uuid,
  ]);
  return [HEADERS, ...rows].map((row) => `${row.map(cell).join()}\r\n`).join("");
}
