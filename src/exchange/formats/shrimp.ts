// shrimp: one JSON file with a flat list of tasks.

import { readJsonObject } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldText, recordsOf, sections } from "../readers/values.js";
import { checksIn } from "../source/clean.js";
import type { SourceItem, SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import type { Format } from "./format.js";

const FOLDERS = ["shrimp_data", ".shrimp", "data", "shrimp-data"];

export const shrimp: Format = {
  name: "shrimp",
  title: "Shrimp Task Manager",
  find: (files) =>
    FOLDERS.map((folder) => `${folder}/tasks.json`).filter((path) => files.isFile(path) && isOurs(files.text(path))),
  recognizes: (path, beginning) => path.endsWith(".json") && isOurs(beginning),
  read,
};

const isOurs = (text: string): boolean =>
  /"tasks"\s*:\s*\[/.test(text) && /"relatedFiles"|"taskId"|"verificationCriteria"/.test(text);

function read(files: SourceFiles, path: string): SourceRead {
  const whole = readJsonObject(files.text(path), path);
  const items = recordsOf(whole, "tasks").map((task) => taskItem(task, path));
  return { tool: "Shrimp Task Manager", title: "Shrimp tasks", items, findings: [] };
}

const keyOf = (id: string): string => `shrimp::${id}`;

function taskItem(task: Fields, file: string): SourceItem {
  const id = fieldText(task, "id");
  const status = fieldText(task, "status");
  const criteria = fieldText(task, "verificationCriteria");
  const touched = recordsOf(task, "relatedFiles").filter((each) =>
    /^(?:TO_MODIFY|CREATE)$/.test(fieldText(each, "type")),
  );
  return {
    key: keyOf(id),
    id,
    title: fieldText(task, "name"),
    body: sections(
      ["", fieldText(task, "description")],
      ["How", fieldText(task, "implementationGuide")],
      ["Acceptance", criteria],
      ["Notes", fieldText(task, "notes")],
    ),
    dependsOn: recordsOf(task, "dependencies").map((each) => keyOf(fieldText(each, "taskId"))),
    status,
    progress: progressOfWord(status) ?? "open",
    reason: fieldText(task, "summary") || undefined,
    files: touched.map((each) => fieldText(each, "path")),
    checks: checksIn(criteria),
    at: { file },
  };
}
