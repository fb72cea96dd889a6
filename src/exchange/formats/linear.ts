// Linear: the table that it exports. Its date columns say more than its statuses, which each team names itself.

import type { CsvRow } from "../readers/csv.js";
import type { SourceFiles } from "../readers/source-files.js";
import type { Place, SourceItem, SourceProgress, SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import { priorityOfWord } from "../source/words.js";
import type { Format } from "./format.js";
import { commaList, readTable, tablesWith } from "./tracker-csv.js";

export const linear: Format = {
  name: "linear-csv",
  title: "Linear CSV",
  find: (files) => tablesWith(files, isOurs),
  recognizes: (path, beginning) => /\.csv$/i.test(path) && isOurs(beginning),
  read,
};

const isOurs = (text: string): boolean => /^\ufeff?"?ID"?,"?Team"?,"?Title"?/.test(text);

function read(files: SourceFiles, path: string): SourceRead {
  const { table, found } = readTable(files, path);
  const milestones = new Map<string, SourceItem>();
  for (const row of table.rows) {
    const at = { file: path, line: row.line };
    if (row.one("ID") === "") found.note(at, "A row without an ID was left out.");
    else found.items.push(issueItem(row, at, milestones));
  }
  const items = [...milestones.values(), ...found.items];
  return { tool: "Linear", title: "Linear", items, findings: found.findings, droppedFrees: true };
}

const keyOf = (id: string): string => `linear::${id}`;

function issueItem(row: CsvRow, at: Place, milestones: Map<string, SourceItem>): SourceItem {
  const id = row.one("ID");
  const status = row.one("Status");
  const parent = row.one("Parent issue");
  const duplicate = row.one("Duplicate of");
  const { assignee, estimate } = { assignee: row.one("Assignee"), estimate: row.one("Estimate") };
  return {
    key: keyOf(id),
    id,
    displayId: id,
    title: row.one("Title"),
    body: row.one("Description"),
    parent: parent === "" ? milestoneOf(row.one("Project Milestone"), at, milestones) : keyOf(parent),
    dependsOn: commaList(row.one("Blocked by")).map(keyOf),
    status,
    progress: stateOf(row, status),
    reason: duplicate === "" ? undefined : `a duplicate of ${duplicate}`,
    labels: commaList(row.one("Labels")),
    priority: priorityOfWord(row.one("Priority")),
    comments: [
      ...(assignee === "" ? [] : [`Assigned in Linear to ${assignee}.`]),
      ...(estimate === "" ? [] : [`Linear estimated ${estimate} points.`]),
    ],
    at,
  };
}

function milestoneOf(title: string, at: Place, known: Map<string, SourceItem>): string | null {
  if (title === "") return null;
  const key = keyOf(`milestone ${title}`);
  const item: SourceItem = {
    key,
    id: title,
    title,
    status: null,
    progress: "open",
    isGroup: true,
    tier: "feature",
    at,
  };
  known.set(key, item);
  return key;
}

function stateOf(row: CsvRow, status: string): SourceProgress {
  if (row.one("Canceled") !== "" || row.one("Duplicate of") !== "") return "dropped";
  if (row.one("Completed") !== "") return "done";
  const word = progressOfWord(status);
  return word ?? (row.one("Started") === "" ? "open" : "active");
}
