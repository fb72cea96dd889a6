// Backlog.md: a Markdown file for each task, with YAML in front.

import { isRecord } from "../../base/json.js";
import { type FrontMatterFile, readFrontMatter } from "../readers/front-matter.js";
import type { SourceFiles } from "../readers/source-files.js";
import { fieldNumber, fieldText, listedWords, listOf } from "../readers/values.js";
import { readYaml } from "../readers/yaml.js";
import { Collected, type SourceItem, type SourceProgress, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import { priorityOfWord } from "../source/words.js";
import type { Format } from "./format.js";

const FOLDERS = ["backlog", ".backlog"];

export const backlogMd: Format = {
  name: "backlog-md",
  title: "Backlog.md",
  find: (files) => FOLDERS.filter((folder) => files.isFolder(`${folder}/tasks`)),
  read,
};

type Place = "tasks" | "completed" | "archive/tasks" | "drafts";

function read(files: SourceFiles, folder: string): SourceRead {
  const found = new Collected();
  const last = lastStatus(files, folder);
  const milestones = new Map<string, SourceItem>();
  for (const file of filesIn(files, `${folder}/milestones`, "milestone")) readMilestone(file, milestones);
  for (const place of ["tasks", "completed", "archive/tasks", "drafts"] as const) {
    for (const file of filesIn(files, `${folder}/${place}`, "task")) readTask(found, file, { place, last, milestones });
  }
  for (const rest of ["decisions", "docs"]) {
    const names = files.names(`${folder}/${rest}`, "file").filter((name) => name.endsWith(".md"));
    for (const name of names) found.note({ file: `${folder}/${rest}/${name}` }, "It is no task and stays where it is.");
  }
  const items = [...milestones.values(), ...found.items];
  return {
    tool: "Backlog.md",
    title: "Backlog.md",
    items,
    findings: found.findings,
    droppedFrees: true,
    looseParents: true,
  };
}

const filesIn = (files: SourceFiles, folder: string, what: string): FrontMatterFile[] =>
  files
    .names(folder, "file")
    .filter((name) => name.endsWith(".md") && !/^readme\.md$/i.test(name))
    .flatMap((name) => readFrontMatter(files, `${folder}/${name}`) ?? [])
    .filter(({ fields }) => what !== "" && fieldText(fields, "id") !== "");

/** The last one that the project names means done. */
function lastStatus(files: SourceFiles, folder: string): string {
  const path = [`${folder}/config.yml`, `${folder}/config.yaml`, "backlog.config.yml"].find((each) =>
    files.isFile(each),
  );
  const config = path === undefined ? {} : readYaml(files.text(path), { file: path });
  const last = isRecord(config) ? listOf(config, "statuses").at(-1) : undefined;
  return typeof last === "string" ? last : "Done";
}

const keyOf = (id: string): string => `backlog-md::${id.toLowerCase()}`;

function readMilestone({ fields, path, body }: FrontMatterFile, known: Map<string, SourceItem>): void {
  const id = fieldText(fields, "id");
  const title = fieldText(fields, "title") || id;
  const key = keyOf(`milestone ${id}`);
  const item: SourceItem = {
    key,
    id,
    title,
    body,
    status: null,
    progress: "open",
    isGroup: true,
    tier: "feature",
    at: { file: path },
  };
  known.set(id.toLowerCase(), item);
}

interface Around {
  readonly place: Place;
  readonly last: string;
  readonly milestones: Map<string, SourceItem>;
}

function readTask(
  found: Collected,
  { fields, path, body }: FrontMatterFile,
  { place, last, milestones }: Around,
): void {
  const id = fieldText(fields, "id");
  const status = fieldText(fields, "status");
  const at = { file: path, line: 1 };
  const progress = progressIn(place, status, last);
  if (progress === undefined) found.note(at, `${id}: The status "${status}" is not known, so it is open.`);
  const milestone = milestones.get(fieldText(fields, "milestone").toLowerCase());
  const parent = fieldText(fields, "parent_task_id");
  const assignees = listedWords(fields, "assignee");
  const due = fieldText(fields, "due_date");
  const { text, comments, summary } = bodyOf(body);
  found.items.push({
    key: keyOf(id),
    id,
    displayId: id,
    title: fieldText(fields, "title"),
    body: text,
    parent: parent === "" ? (milestone?.key ?? null) : keyOf(parent),
    dependsOn: listedWords(fields, "dependencies").map(keyOf),
    status,
    progress: progress ?? "open",
    reason: summary === "" ? undefined : summary,
    isArchived: place === "completed" || place === "archive/tasks",
    labels: listOf(fields, "labels").filter((label): label is string => typeof label === "string"),
    priority: priorityOfWord(fieldText(fields, "priority")) ?? fieldNumber(fields, "priority"),
    files: [
      ...listedWords(fields, "modified_files"),
      ...listedWords(fields, "references").filter((each) => /^[\w./-]+\.\w+$/.test(each)),
    ],
    comments: [
      ...(assignees.length === 0 ? [] : [`Assigned in Backlog.md to ${assignees.join(", ")}.`]),
      ...(due === "" ? [] : [`Due in Backlog.md on ${due}.`]),
      ...comments,
    ],
    at,
  });
}

function progressIn(place: Place, status: string, last: string): SourceProgress | undefined {
  if (place === "archive/tasks") return "dropped";
  if (place === "completed" || status.toLowerCase() === last.toLowerCase()) return "done";
  if (place === "drafts") return "frozen";
  const progress = progressOfWord(status);
  return progress === "done" ? "review" : progress;
}

/** Without the marks of its editor; comments and the summary apart. */
function bodyOf(body: string): { text: string; comments: string[]; summary: string } {
  const plain = body.replace(/<!-- (?:SECTION:[A-Z_]+|AC|DOD|COMMENTS?):(?:BEGIN|END) -->\n?/g, "");
  const parts = plain.split(/^(?=## )/m);
  const named = (name: string): string => parts.find((part) => part.startsWith(`## ${name}`)) ?? "";
  const summary = named("Final Summary")
    .replace(/^## .*\n/, "")
    .trim();
  const said = named("Comments")
    .replace(/^## .*\n/, "")
    .split(/^---$/m);
  const comments = said.map((each) => each.trim()).filter((each) => each !== "");
  const kept = parts.filter((part) => !part.startsWith("## Comments") && !part.startsWith("## Final Summary"));
  return { text: kept.join("").trim(), comments, summary };
}
