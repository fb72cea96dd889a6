// Task Master: one JSON file, with a list for each tag or, before tags, one list.

import { isRecord } from "../../base/json.js";
import { readJsonObject } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldOf, fieldText, listedWords, listOf, recordsOf, sections } from "../readers/values.js";
import { checksIn } from "../source/clean.js";
import { Collected, type Place, type SourceItem, SourceProblem, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import { priorityOfWord } from "../source/words.js";
import type { Format } from "./format.js";

const PLACES = [".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json"];

export const taskMaster: Format = {
  name: "task-master",
  title: "Task Master",
  find: (files) => PLACES.filter((path) => files.isFile(path) && isOurs(files.text(path))).slice(0, 1),
  recognizes: (path, beginning) => path.endsWith("tasks.json") && isOurs(beginning),
  read,
};

const isOurs = (text: string): boolean =>
  /"tasks"\s*:\s*\[/.test(text) && !/"relatedFiles"|"taskId"|"verificationCriteria"/.test(text.slice(0, 200_000));

function read(files: SourceFiles, path: string): SourceRead {
  const whole = readJsonObject(files.text(path), path);
  const at: Place = { file: path };
  const found = new Collected();
  const flat = fieldOf(whole, "tasks");
  const tags = Array.isArray(flat) ? ([["", whole]] as const) : tagsIn(whole);
  if (tags.length === 0) throw new SourceProblem({ file: path, line: 1 }, "The file holds no list of tasks.");
  for (const [tag, list] of tags) {
    const key = `task-master:${tag}:`;
    const isNamed = tag !== "" && tags.length > 1;
    if (isNamed)
      found.items.push({
        key: `${key}*`,
        id: tag,
        title: tag,
        status: null,
        progress: "open",
        isGroup: true,
        tier: "feature",
        at,
      });
    for (const task of recordsOf(list, "tasks"))
      readTask(found, task, { key, parent: isNamed ? `${key}*` : null, at, isOnly: !isNamed });
  }
  return {
    tool: "Task Master",
    title: "Task Master",
    items: found.items,
    findings: found.findings,
    droppedFrees: true,
  };
}

const tagsIn = (whole: Fields): (readonly [string, Fields])[] =>
  Object.entries(whole).filter(
    (entry): entry is [string, Fields] => isRecord(entry[1]) && Array.isArray(fieldOf(entry[1], "tasks")),
  );

interface Around {
  readonly key: string;
  readonly parent: string | null;
  readonly at: Place;
  readonly isOnly: boolean;
}

function readTask(found: Collected, task: Fields, around: Around): void {
  const id = fieldText(task, "id");
  if (id === "") {
    found.note(around.at, `A task without an id was left out: ${fieldText(task, "title") || "no title"}.`);
    return;
  }
  const item = taskItem(found, task, id, around);
  found.items.push({ ...item, dependsOn: listedWords(task, "dependencies").map((on) => around.key + on) });
  for (const child of recordsOf(task, "subtasks")) {
    const own = fieldText(child, "id");
    const childId = own.startsWith(`${id}.`) ? own : `${id}.${own}`;
    // A plain number is a sister.
    const dependsOn = listedWords(child, "dependencies").map(
      (on) => around.key + (on.includes(".") ? on : `${id}.${on}`),
    );
    found.items.push({ ...taskItem(found, child, childId, { ...around, parent: item.key }), dependsOn });
  }
}

function taskItem(found: Collected, task: Fields, id: string, { key, parent, at, isOnly }: Around): SourceItem {
  const status = fieldText(task, "status");
  const progress = progressOfWord(status);
  if (progress === undefined) found.note(at, `${id}: The status "${status}" is not known, so it is open.`);
  const score = fieldText(task, "complexityScore");
  const strategy = fieldText(task, "testStrategy");
  return {
    key: key + id,
    id,
    displayId: isOnly ? `TM-${id}` : undefined,
    title: fieldText(task, "title"),
    body: sections(
      ["", fieldText(task, "description")],
      ["", fieldText(task, "details")],
      ["Acceptance", strategy],
      ["Notes", fieldText(task, "implementationNotes")],
    ),
    parent,
    status,
    progress: progress ?? "open",
    priority: priorityOfWord(fieldText(task, "priority")),
    files: recordsOf(task, "relevantFiles").map((file) => fieldText(file, "path")),
    checks: checksIn(strategy),
    labels: listOf(task, "tags").filter((tag): tag is string => typeof tag === "string"),
    comments: score === "" ? [] : [`Task Master gave it a complexity of ${score}.`],
    at,
  };
}
