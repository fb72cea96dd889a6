// ccpm: a folder for each epic, with a numbered file for each task. Names are not quoted, so the fields are no YAML.

import { type FrontMatterFile, readPlainFrontMatter } from "../readers/front-matter.js";
import type { SourceFiles } from "../readers/source-files.js";
import { fieldText, listedWords } from "../readers/values.js";
import { Collected, type SourceItem, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import type { Format } from "./format.js";

const EPICS = ".claude/epics";

export const ccpm: Format = {
  name: "ccpm",
  title: "ccpm",
  find: (files) => (epicsIn(files).length > 0 ? [EPICS] : []),
  read,
};

const epicsIn = (files: SourceFiles): string[] => [
  ...files.names(EPICS, "folder").filter((name) => name !== "archived" && name !== ".archived"),
  ...files.names(`${EPICS}/archived`, "folder").map((name) => `archived/${name}`),
];

function read(files: SourceFiles): SourceRead {
  const found = new Collected();
  for (const epic of epicsIn(files)) readEpic(found, files, epic);
  return { tool: "ccpm", title: "ccpm", items: found.items, findings: found.findings };
}

const keyOf = (epic: string, id: string): string => `ccpm:${epic}:${id}`;

function readEpic(found: Collected, files: SourceFiles, epic: string): void {
  const folder = `${EPICS}/${epic}`;
  const file = `${folder}/epic.md`;
  const head = files.isFile(file) ? readPlainFrontMatter(files, file) : undefined;
  const isArchived = epic.startsWith("archived/");
  const title = head ? fieldText(head.fields, "name") || epic : epic;
  found.items.push({
    key: keyOf(epic, "*"),
    id: epic,
    title,
    body: head?.body,
    status: head ? fieldText(head.fields, "status") : null,
    progress: "open",
    isArchived,
    isGroup: true,
    tier: "feature",
    at: { file: head ? file : folder },
  });
  for (const name of files.names(folder, "file").filter((each) => /^\d+\.md$/.test(each))) {
    const task = readPlainFrontMatter(files, `${folder}/${name}`);
    if (task) readTask(found, task, epic, name.replace(/\.md$/, ""));
  }
}

/** Before the sync with GitHub numbers are 001, 002 and mean nothing outside of their epic. */
const idIn = (epic: string, number: string): string =>
  number.startsWith("0") || epic.startsWith("archived/") ? `${epic}/${number}` : number;

function readTask(found: Collected, { fields, path, body }: FrontMatterFile, epic: string, number: string): void {
  const at = { file: path, line: 1 };
  const status = fieldText(fields, "status");
  const conflicts = listedWords(fields, "conflicts_with");
  const hours = Number(/\bhours?\b\W{0,10}(\d+(?:\.\d+)?)/i.exec(body)?.[1] ?? Number.NaN);
  if (conflicts.length > 0) {
    found.note(
      at,
      `${number}: It conflicts with ${conflicts.join(", ")} in ccpm. The plan finds conflicts by the files of tasks.`,
    );
  }
  const item: SourceItem = {
    key: keyOf(epic, number),
    id: idIn(epic, number),
    displayId: idIn(epic, number) === number ? `GH-${number}` : undefined,
    title: fieldText(fields, "name"),
    body: body.replace(/^# Task:.*\n+/, ""),
    parent: keyOf(epic, "*"),
    dependsOn: listedWords(fields, "depends_on").map((on) => keyOf(epic, on)),
    status,
    progress: progressOfWord(status) ?? "open",
    estimateHours: hours > 0 ? hours : null,
    at,
  };
  found.items.push(item);
}
