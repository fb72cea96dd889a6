// tasker: the state of all tasks in one file, and a file with the words of each. Paths in the state are those of another machine, so
// files are found by their names.

import { isRecord } from "../../base/json.js";
import { readJsonObject } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldNumber, fieldOf, fieldText, listedWords, recordsOf, sections } from "../readers/values.js";
import { Collected, type SourceItem, type SourceProgress, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import type { Format } from "./format.js";

const FOLDERS = ["project-planning", ".tasker"];

export const tasker: Format = {
  name: "tasker",
  title: "tasker",
  find: (files) =>
    FOLDERS.filter((folder) => files.isFile(`${folder}/state.json`) && files.isFolder(`${folder}/tasks`)),
  read,
};

const NONE: Fields = {};

function read(files: SourceFiles, folder: string): SourceRead {
  const found = new Collected();
  const file = `${folder}/state.json`;
  const tasks = fieldOf(readJsonObject(files.text(file), file), "tasks");
  const states = isRecord(tasks) ? Object.values(tasks).filter((each): each is Fields => isRecord(each)) : [];
  const sorted = [...states].sort((a, b) => (fieldText(a, "id") < fieldText(b, "id") ? -1 : 1));
  for (const state of sorted) {
    const path = `${folder}/tasks/${fieldText(state, "id")}.json`;
    const words = files.isFile(path) ? readJsonObject(files.text(path), path) : NONE;
    found.items.push(taskItem(state, words, files.isFile(path) ? path : file));
  }
  return { tool: "tasker", title: "tasker", items: found.items, findings: found.findings };
}

const keyOf = (id: string): string => `tasker::${id}`;

function taskItem(state: Fields, words: Fields, file: string): SourceItem {
  const id = fieldText(state, "id");
  const status = fieldText(state, "status");
  const context = fieldOf(words, "context");
  const criteria = recordsOf(words, "acceptance_criteria");
  return {
    key: keyOf(id),
    id,
    displayId: id,
    title: fieldText(state, "name"),
    body: sections(
      ["", isRecord(context) ? fieldText(context, "spec_ref") : ""],
      ["Acceptance", criteria.map((each) => `- ${fieldText(each, "criterion")}`).join("\n")],
    ),
    dependsOn: listedWords(state, "depends_on").map(keyOf),
    status,
    progress: progressOfTask(status),
    reason: fieldText(state, "skip_reason", "error") || undefined,
    files: recordsOf(words, "files").map((each) => fieldText(each, "path")),
    checks: criteria.map((each) => ({ run: fieldText(each, "verification") })),
    estimateHours: fieldNumber(words, "estimate_hours"),
    at: { file },
  };
}

/** Blocked tasks wait for one that failed: the dependency says so. */
const progressOfTask = (status: string): SourceProgress =>
  status === "blocked" ? "open" : (progressOfWord(status) ?? "open");
