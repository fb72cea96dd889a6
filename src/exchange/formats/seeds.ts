// seeds: one issue per line. The newest line of an issue counts, wherever it stands.

import { type JsonLine, readJsonLines } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldNumber, fieldText, listedWords, validPriority } from "../readers/values.js";
import { Collected, type Place, type SourceItem, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import type { Format } from "./format.js";

const FOLDER = ".seeds";
const ISSUES = `${FOLDER}/issues.jsonl`;

export const seeds: Format = {
  name: "seeds",
  title: "seeds",
  find: (files) => (files.isFile(ISSUES) ? [FOLDER] : []),
  read,
};

function read(files: SourceFiles): SourceRead {
  const found = new Collected();
  const lines = newestLines(readJsonLines(files.text(ISSUES), ISSUES));
  // Closing an issue takes it out of `blockedBy` of others and leaves its own `blocks`.
  const blockedBy = new Map<string, string[]>();
  for (const { fields } of lines) {
    for (const other of listedWords(fields, "blocks")) {
      blockedBy.set(other, [...(blockedBy.get(other) ?? []), fieldText(fields, "id")]);
    }
  }
  for (const { line, fields } of lines) {
    const known = blockedBy.get(fieldText(fields, "id")) ?? [];
    found.items.push(issueItem(fields, { file: ISSUES, line }, known));
  }
  return { tool: "seeds", title: "seeds", items: found.items, findings: found.findings, droppedFrees: true };
}

function newestLines(lines: readonly JsonLine[]): JsonLine[] {
  const byId = new Map<string, JsonLine>();
  for (const line of lines) {
    const id = fieldText(line.fields, "id");
    const other = byId.get(id);
    if (!other || fieldText(line.fields, "updatedAt") >= fieldText(other.fields, "updatedAt")) byId.set(id, line);
  }
  return [...byId.values()];
}

const keyOf = (id: string): string => `seeds::${id}`;

function issueItem(fields: Fields, at: Place, blockers: readonly string[]): SourceItem {
  const id = fieldText(fields, "id");
  const status = fieldText(fields, "status");
  const type = fieldText(fields, "type");
  const assignee = fieldText(fields, "assignee");
  return {
    key: keyOf(id),
    id,
    displayId: id,
    title: fieldText(fields, "title"),
    body: fieldText(fields, "description"),
    dependsOn: [...new Set([...listedWords(fields, "blockedBy"), ...blockers])].map(keyOf),
    status,
    progress: progressOfWord(status) ?? "open",
    reason: fieldText(fields, "closeReason") || undefined,
    labels: [...listedWords(fields, "labels"), ...(type === "" || type === "task" ? [] : [type])],
    priority: validPriority(fieldNumber(fields, "priority")),
    comments: assignee === "" ? [] : [`Assigned in seeds to ${assignee}.`],
    at,
  };
}
