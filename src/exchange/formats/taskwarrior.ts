// Taskwarrior: what `task export` prints, as one list or as one object per line.

import { isRecord } from "../../base/json.js";
import { parseJsonFile, readJsonLines } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldText, listedWords, recordsOf } from "../readers/values.js";
import { Collected, type Place, type SourceItem, type SourceProgress, type SourceRead } from "../source/source.js";
import { priorityOfWord } from "../source/words.js";
import type { Format, SourceOptions } from "./format.js";

export const taskwarrior: Format = {
  name: "taskwarrior",
  title: "Taskwarrior",
  find: (files) =>
    files
      .names("", "file")
      .filter((name) => /^(?:task|export|taskwarrior)[\w.-]*\.jsonl?$/i.test(name) && isOurs(files.text(name))),
  recognizes: (path, beginning) => /\.jsonl?$/.test(path) && isOurs(beginning),
  read,
};

const isOurs = (text: string): boolean => {
  const head = text.slice(0, 4096);
  return /"uuid"\s*:/.test(head) && /"description"\s*:/.test(head) && /"entry"\s*:/.test(head);
};

function read(files: SourceFiles, path: string, { now }: SourceOptions): SourceRead {
  const found = new Collected();
  const projects = new Map<string, SourceItem>();
  for (const { fields, at } of tasksIn(files.text(path), path)) {
    const item = taskItem(fields, at, now);
    found.items.push({ ...item, parent: projectOf(fieldText(fields, "project"), at, projects) });
    const due = fieldText(fields, "due");
    if (due !== "") found.note(at, `${item.id.slice(0, 8)}: It is due on ${dayOf(due)}; a plan has no such dates.`);
  }
  const items = [...projects.values(), ...found.items];
  return { tool: "Taskwarrior", title: "Taskwarrior", items, findings: found.findings, droppedFrees: true };
}

function tasksIn(text: string, file: string): { fields: Fields; at: Place }[] {
  if (!/^\ufeff?\s*\[/.test(text)) {
    return readJsonLines(text.replace(/,\s*$/gm, ""), file).map(({ line, fields }) => ({ fields, at: { file, line } }));
  }
  const value = parseJsonFile(text, file);
  const list = Array.isArray(value) ? value.filter((each): each is Fields => isRecord(each)) : [];
  return list.map((fields, i) => ({ fields, at: { file, line: i + 2 } }));
}

const keyOf = (uuid: string): string => `taskwarrior::${uuid}`;

/** The first word of a project is a feature, the rest a story in it. */
function projectOf(project: string, at: Place, known: Map<string, SourceItem>): string | null {
  const [name = "", ...rest] = project.split(".");
  if (name === "") return null;
  const group = (key: string, title: string, more: Partial<SourceItem>): string => {
    const item: SourceItem = { key, id: title, title, status: null, progress: "open", isGroup: true, at, ...more };
    if (!known.has(key)) known.set(key, item);
    return key;
  };
  const feature = group(`taskwarrior:project:${name}`, name, { tier: "feature" });
  return rest.length === 0 ? feature : group(`taskwarrior:project:${project}`, rest.join("."), { parent: feature });
}

const momentOf = (stamp: string): number =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

const dayOf = (stamp: string): string => stamp.replace(/^(\d{4})(\d\d)(\d\d).*$/, "$1-$2-$3");

function taskItem(fields: Fields, at: Place, now: number): SourceItem {
  const uuid = fieldText(fields, "uuid");
  const status = fieldText(fields, "status");
  const isStarted = fieldText(fields, "start") !== "" && status === "pending";
  return {
    key: keyOf(uuid),
    id: uuid,
    title: fieldText(fields, "description"),
    dependsOn: listedWords(fields, "depends").map(keyOf),
    status: isStarted ? "pending+started" : status,
    ...stateOf(fields, { status, isStarted, now }),
    leftOut: status === "recurring" ? "it repeats, and a plan has no such tasks" : undefined,
    labels: listedWords(fields, "tags"),
    priority: priorityOfWord(fieldText(fields, "priority")),
    comments: recordsOf(fields, "annotations").map(
      (note) => `${dayOf(fieldText(note, "entry"))}: ${fieldText(note, "description")}`,
    ),
    at,
  };
}

interface State {
  readonly status: string;
  readonly isStarted: boolean;
  readonly now: number;
}

function stateOf(fields: Fields, { status, isStarted, now }: State): { progress: SourceProgress; reason?: string } {
  if (status === "completed") return { progress: "done" };
  if (status === "deleted") return { progress: "dropped" };
  for (const [name, words] of [
    ["wait", "put off until"],
    ["scheduled", "scheduled for"],
  ] as const) {
    const stamp = fieldText(fields, name);
    if (momentOf(stamp) > now) return { progress: "frozen", reason: `${words} ${dayOf(stamp)}` };
  }
  if (status === "waiting" || status === "recurring") return { progress: "frozen" };
  return { progress: isStarted ? "active" : "open" };
}
