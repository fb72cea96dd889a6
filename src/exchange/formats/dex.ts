// dex: one task per line, with its edges on both sides, and an archive of what was finished.

import { type JsonLine, readJsonLines } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldNumber, fieldOf, fieldText, listedWords } from "../readers/values.js";
import { Collected, type Place, type SourceItem, type SourceRead } from "../source/source.js";
import type { Format } from "./format.js";

const FOLDER = ".dex";
const TASKS = `${FOLDER}/tasks.jsonl`;
const ARCHIVE = `${FOLDER}/archive.jsonl`;

export const dex: Format = {
  name: "dex",
  title: "dex",
  find: (files) => (files.isFile(TASKS) ? [FOLDER] : []),
  read,
};

function read(files: SourceFiles): SourceRead {
  const found = new Collected();
  const lines = readJsonLines(files.text(TASKS), TASKS);
  const both = otherSides(lines);
  for (const { line, fields } of lines) found.items.push(taskItem(fields, { file: TASKS, line }, both));
  if (files.isFile(ARCHIVE)) {
    for (const { line, fields } of readJsonLines(files.text(ARCHIVE), ARCHIVE)) {
      const item = taskItem(fields, { file: ARCHIVE, line }, both);
      found.items.push({ ...item, status: "archived", progress: "done", isArchived: true });
    }
  }
  return { tool: "dex", title: "dex", items: found.items, findings: found.findings, looseParents: true };
}

interface OtherSides {
  readonly blockedBy: ReadonlyMap<string, readonly string[]>;
  readonly parents: ReadonlyMap<string, string>;
}

function otherSides(lines: readonly JsonLine[]): OtherSides {
  const blockedBy = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const { fields } of lines) {
    const id = fieldText(fields, "id");
    for (const other of listedWords(fields, "blocks")) blockedBy.set(other, [...(blockedBy.get(other) ?? []), id]);
    for (const child of listedWords(fields, "children")) parents.set(child, id);
  }
  return { blockedBy, parents };
}

const keyOf = (id: string): string => `dex::${id}`;

function taskItem(fields: Fields, at: Place, { blockedBy, parents }: OtherSides): SourceItem {
  const id = fieldText(fields, "id");
  const isDone = fieldOf(fields, "completed") === true;
  const isStarted = fieldText(fields, "started_at") !== "";
  const parent = fieldText(fields, "parent_id") || parents.get(id);
  const priority = fieldNumber(fields, "priority");
  return {
    key: keyOf(id),
    id,
    displayId: id,
    title: fieldText(fields, "name"),
    body: fieldText(fields, "description"),
    parent: parent === undefined || parent === "" ? null : keyOf(parent),
    dependsOn: [...new Set([...listedWords(fields, "blockedBy"), ...(blockedBy.get(id) ?? [])])].map(keyOf),
    status: isDone ? "completed" : isStarted ? "in_progress" : "pending",
    progress: isDone ? "done" : isStarted ? "active" : "open",
    reason: fieldText(fields, "result") || undefined,
    priority: priority === null ? null : Math.min(4, Math.max(0, Math.round(priority))),
    at,
  };
}
