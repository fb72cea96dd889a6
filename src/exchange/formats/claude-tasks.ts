// Tasks of Claude Code: a folder for each session or list, with a file for each task; or one list of to-dos in a file.

import { isRecord } from "../../base/json.js";
import { parseJsonFile, readJsonObject } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldText, listedWords } from "../readers/values.js";
import { Collected, type SourceItem, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import { priorityOfWord } from "../source/words.js";
import type { Format } from "./format.js";

const TASKS = ".claude/tasks";
const TODOS = ".claude/todos";

export const claudeTasks: Format = {
  name: "claude-tasks",
  title: "Claude Code tasks",
  find: (files) => [
    ...files.names(TASKS, "folder").map((name) => `${TASKS}/${name}`),
    ...(files.names(TODOS, "file").some((name) => name.endsWith(".json")) ? [TODOS] : []),
  ],
  read: (files, path) => (path.endsWith("/todos") ? readTodos(files, path) : readTasks(files, path)),
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function readTasks(files: SourceFiles, folder: string): SourceRead {
  const found = new Collected();
  const list = nameOf(folder);
  const key = (id: string): string => `claude-tasks:${list}:${id}`;
  const tasks = files
    .names(folder, "file")
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .map((name) => ({
      file: `${folder}/${name}`,
      fields: readJsonObject(files.text(`${folder}/${name}`), `${folder}/${name}`),
    }));
  // An edge may be written on one side only.
  const blocked = new Map<string, string[]>();
  for (const { fields } of tasks) {
    for (const on of listedWords(fields, "blocks"))
      blocked.set(on, [...(blocked.get(on) ?? []), fieldText(fields, "id")]);
  }
  for (const { file, fields } of tasks) {
    const id = fieldText(fields, "id") || nameOf(file).replace(/\.json$/, "");
    const status = fieldText(fields, "status");
    const owner = fieldText(fields, "owner");
    const dependsOn = [...new Set([...listedWords(fields, "blockedBy"), ...(blocked.get(id) ?? [])])];
    found.items.push({
      key: key(id),
      id,
      title: fieldText(fields, "subject"),
      body: fieldText(fields, "description"),
      dependsOn: dependsOn.map(key),
      status,
      progress: progressOfWord(status) ?? "open",
      comments: owner === "" ? [] : [`Claude Code had given it to ${owner}.`],
      at: { file },
    });
  }
  return { tool: "Claude Code", title: `Claude Code: ${list}`, items: found.items, findings: found.findings };
}

function readTodos(files: SourceFiles, folder: string): SourceRead {
  const found = new Collected();
  for (const name of files.names(folder, "file").filter((each) => each.endsWith(".json"))) {
    const file = `${folder}/${name}`;
    const value = parseJsonFile(files.text(file), file);
    const todos = Array.isArray(value) ? value.filter((each): each is Fields => isRecord(each)) : [];
    found.items.push(...todos.map((fields, i) => todoItem(fields, i, name.replace(/\.json$/, ""), file)));
  }
  return { tool: "Claude Code", title: "Claude Code to-dos", items: found.items, findings: found.findings };
}

function todoItem(fields: Fields, index: number, list: string, file: string): SourceItem {
  const own = fieldText(fields, "id");
  const status = fieldText(fields, "status");
  return {
    key: `claude-tasks:${list}:${own || index + 1}`,
    id: own === "" ? String(index + 1) : `${list}/${own}`,
    title: fieldText(fields, "content"),
    status,
    progress: progressOfWord(status) ?? "open",
    priority: priorityOfWord(fieldText(fields, "priority")),
    at: { file },
  };
}
