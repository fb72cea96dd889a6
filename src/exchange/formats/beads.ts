// beads: one issue per line. Two lines of one issue are what git leaves behind, and the newer one wins field by field.

import { isRecord } from "../../base/json.js";
import { type JsonLine, readJsonLines } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import {
  type Fields,
  fieldNumber,
  fieldOf,
  fieldText,
  listedWords,
  recordsOf,
  sections,
  validPriority,
} from "../readers/values.js";
import { Collected, type SourceItem, type SourceProgress, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import type { Format, SourceOptions } from "./format.js";

const PLACES = [".beads/issues.jsonl", ".beads/beads.jsonl"];

export const beads: Format = {
  name: "beads",
  title: "beads",
  find: (files) => PLACES.filter((path) => files.isFile(path)).slice(0, 1),
  recognizes: (path, beginning) => path.endsWith(".jsonl") && /"issue_type"\s*:/.test(beginning),
  read,
};

/** No work of anybody. */
const WORKFLOW = new Set(["message", "molecule", "agent", "role", "rig", "merge-request", "event", "slot", "convoy"]);

function read(files: SourceFiles, path: string, { now }: SourceOptions): SourceRead {
  const found = new Collected();
  for (const { line, fields } of newest(readJsonLines(files.text(path), path))) {
    const at = { file: path, line };
    const kind = fieldText(fields, "_type");
    if (kind === "memory")
      found.note(
        at,
        `The memory "${fieldText(fields, "key")}" was not carried over. Keep it as a lesson if you need it.`,
      );
    else if (fieldText(fields, "id") === "") found.note(at, "A line without an id was left out.");
    else found.items.push(issueItem(fields, at, now));
  }
  return { tool: "beads", title: "beads", items: found.items, findings: found.findings, droppedFrees: true };
}

function newest(lines: readonly JsonLine[]): JsonLine[] {
  const byId = new Map<string, JsonLine>();
  for (const line of lines) {
    const id = fieldText(line.fields, "id") || `line ${line.line}`;
    const other = byId.get(id);
    const isNewer =
      other === undefined || fieldText(line.fields, "updated_at") >= fieldText(other.fields, "updated_at");
    const [older, newer] = isNewer ? [other, line] : [line, other];
    byId.set(id, { line: newer.line, fields: { ...older?.fields, ...newer.fields } });
  }
  return [...byId.values()];
}

const keyOf = (id: string): string => `beads::${id}`;

function issueItem(fields: Fields, at: SourceItem["at"], now: number): SourceItem {
  const id = fieldText(fields, "id");
  const type = fieldText(fields, "issue_type");
  const edges = recordsOf(fields, "dependencies").map((edge) => ({
    on: fieldText(edge, "depends_on_id"),
    type: fieldText(edge, "type"),
  }));
  const targets = (...types: readonly string[]): string[] =>
    edges.filter((edge) => types.includes(edge.type) && edge.on !== "").map(({ on }) => on);
  const conditions = targets("conditional-blocks");
  const { progress, reason } = stateOf(fields, conditions, now);
  const minutes = fieldNumber(fields, "estimated_minutes");
  return {
    key: keyOf(id),
    id,
    displayId: id,
    title: fieldText(fields, "title"),
    body: sections(
      ["", fieldText(fields, "description")],
      ["Design", fieldText(fields, "design")],
      ["Acceptance", fieldText(fields, "acceptance_criteria")],
      ["Notes", fieldText(fields, "notes")],
    ),
    parent: targets("parent-child").map(keyOf)[0] ?? null,
    dependsOn: targets("blocks").map(keyOf),
    after: targets("waits-for").map(keyOf),
    status: fieldText(fields, "status"),
    progress,
    reason,
    isGate: type === "gate",
    leftOut: whyLeftOut(fields, type),
    labels: [...listedWords(fields, "labels"), ...(type === "" || type === "task" || type === "epic" ? [] : [type])],
    priority: validPriority(fieldNumber(fields, "priority")),
    estimateHours: minutes === null || minutes < 1 ? null : minutes / 60,
    comments: [...commentsOf(fields), ...targets("discovered-from").map((from) => `Found while working on ${from}.`)],
    at,
  };
}

function whyLeftOut(fields: Fields, type: string): string | undefined {
  if (fieldText(fields, "status") === "tombstone") return "it is deleted in beads";
  if (fieldOf(fields, "ephemeral") === true) return "beads keeps it only for a while";
  return WORKFLOW.has(type) ? `it is of the type "${type}", which is no work` : undefined;
}

function stateOf(
  fields: Fields,
  conditions: readonly string[],
  now: number,
): { progress: SourceProgress; reason?: string } {
  const status = fieldText(fields, "status");
  const closed = fieldText(fields, "close_reason");
  if (status === "pinned" || fieldOf(fields, "pinned") === true) return { progress: "frozen", reason: "it is pinned" };
  const progress = progressOfWord(status) ?? "open";
  if (progress !== "open") return { progress, reason: closed };
  const until = fieldText(fields, "defer_until");
  if (Date.parse(until) > now) return { progress: "frozen", reason: `put off until ${until.slice(0, 10)}` };
  if (conditions.length > 0) return { progress: "frozen", reason: `only needed if ${conditions.join(" or ")} fails` };
  return { progress };
}

function commentsOf(fields: Fields): string[] {
  const assignee = fieldText(fields, "assignee");
  return [
    ...(assignee === "" ? [] : [`Assigned in beads to ${assignee}.`]),
    ...recordsOf(fields, "comments")
      .filter(isRecord)
      .map(
        (comment) =>
          `${fieldText(comment, "author")}, ${fieldText(comment, "created_at").slice(0, 10)}: ${fieldText(comment, "text")}`,
      ),
  ];
}
