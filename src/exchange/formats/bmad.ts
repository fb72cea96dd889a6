// BMAD: version 6 keeps one file with the status of every story, version 4 a file for each story. Boxes in a story are its tasks.

import { detailsText, isTicked, placeAt, readHeadedList } from "../readers/headed-list.js";
import type { SourceFiles } from "../readers/source-files.js";
import { Collected, type Place, type SourceItem, type SourceRead } from "../source/source.js";
import { progressOfWord } from "../source/status-words.js";
import type { Format } from "./format.js";

const V6 = ["_bmad-output/implementation-artifacts", "docs/implementation-artifacts", "docs/sprint-artifacts"];
const V4 = "docs/stories";
const SPRINT = "sprint-status.yaml";

export const bmad: Format = {
  name: "bmad",
  title: "BMAD",
  find: (files) => [
    ...V6.filter((folder) => files.isFile(`${folder}/${SPRINT}`)),
    ...(storiesIn(files).length > 0 ? [V4] : []),
  ],
  read: (files, folder) => (folder === V4 ? readStories(files) : readSprint(files, folder)),
};

const keyOf = (id: string): string => `bmad::${id}`;
const readOf = (found: Collected): SourceRead => ({
  tool: "BMAD",
  title: "BMAD",
  items: found.items,
  findings: found.findings,
});

/** Line by line: the titles of epics stand only in comments. */
function readSprint(files: SourceFiles, folder: string): SourceRead {
  const found = new Collected();
  const file = `${folder}/${SPRINT}`;
  const titles = new Map<string, string>();
  let isInside = false;
  for (const [i, line] of files.text(file).split(/\r?\n/).entries()) {
    const at = { file, line: i + 1 };
    const [, epic = "", title = ""] = /^\s+#\s*Epic\s+(\w+):\s*(.*)$/.exec(line) ?? [];
    if (epic !== "") titles.set(epic, title);
    if (/^\S/.test(line) && !line.startsWith("#")) isInside = line.startsWith("development_status:");
    const [, id = "", status = ""] = /^\s+([\w.-]+):\s*([\w-]+)\s*(?:#.*)?$/.exec(line) ?? [];
    if (isInside && id !== "") readRow(found, files, folder, { id, status, at, titles });
  }
  return readOf(found);
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly at: Place;
  readonly titles: ReadonlyMap<string, string>;
}

function readRow(found: Collected, files: SourceFiles, folder: string, { id, status, at, titles }: Row): void {
  const [, epic = ""] = /^epic-(\w+)$/.exec(id) ?? [];
  const progress = progressOfWord(status) ?? "open";
  const own = { key: keyOf(id), id, status, progress, at };
  if (epic !== "") {
    found.items.push({ ...own, title: titles.get(epic) ?? `Epic ${epic}`, displayId: id, tier: "feature" });
    return;
  }
  const [, retrospective = ""] = /^epic-(\w+)-retrospective$/.exec(id) ?? [];
  if (retrospective !== "") {
    found.items.push({ ...own, title: "Retrospective", parent: keyOf(`epic-${retrospective}`), isGate: true });
    return;
  }
  const [, number = "", words = ""] = /^(\w+)-\w+-(.*)$/.exec(id) ?? [];
  const path = `${folder}/${id}.md`;
  const story = files.isFile(path) ? readStory(files, path, id) : undefined;
  const title = story?.title ?? words.replaceAll("-", " ");
  found.items.push(
    { ...own, title: title || id, body: story?.body, parent: keyOf(`epic-${number}`) },
    ...(story?.tasks ?? []),
  );
}

interface Story {
  readonly title: string | undefined;
  readonly status: string;
  readonly body: string;
  readonly tasks: readonly SourceItem[];
}

function readStory(files: SourceFiles, path: string, id: string): Story {
  const text = files.text(path);
  const title = /^#\s+Story\s+[\w.]+:\s*(.*)$/m.exec(text)?.[1]?.trim();
  const status = /^Status:\s*(.*)$/m.exec(text)?.[1] ?? /^## Status\s+(\S.*)$/m.exec(text)?.[1] ?? "";
  const part = (name: string): string =>
    new RegExp(`^## ${name}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, "m")
      .exec(text.replaceAll("\r\n", "\n"))?.[1]
      ?.trim() ?? "";
  const body = [part("Story"), `## Acceptance\n\n${part("Acceptance Criteria")}`].join("\n\n");
  return { title, status: status.trim(), body, tasks: tasksIn(text, path, id) };
}

function tasksIn(text: string, path: string, id: string): SourceItem[] {
  const tasks: SourceItem[] = [];
  const open: { readonly key: string; readonly indent: number }[] = [];
  let isTasks = false;
  for (const block of readHeadedList(text)) {
    if (block.kind === "heading" && block.level <= 2) isTasks = /^Tasks/i.test(block.text);
    if (!isTasks || block.kind !== "entry" || block.marker === null) continue;
    while ((open.at(-1)?.indent ?? -1) >= block.indent) open.pop();
    const own = `${id}#${tasks.length + 1}`;
    const isDone = isTicked(block.marker);
    tasks.push({
      key: keyOf(own),
      id: own,
      title: block.text,
      body: detailsText(block),
      parent: open.at(-1)?.key ?? keyOf(id),
      status: isDone ? "done" : "open",
      progress: isDone ? "done" : "open",
      at: placeAt(path, block),
    });
    open.push({ key: keyOf(own), indent: block.indent });
  }
  return tasks;
}

const storiesIn = (files: SourceFiles): string[] =>
  files.names(V4, "file").filter((name) => /^\w+\.\d+\..*\.md$/.test(name));

/** The numbers of epic and story stand in the name of the file. */
function readStories(files: SourceFiles): SourceRead {
  const found = new Collected();
  const epics = new Map<string, SourceItem>();
  for (const name of storiesIn(files)) {
    const [, epic = "", number = ""] = /^(\w+)\.(\d+)\./.exec(name) ?? [];
    const path = `${V4}/${name}`;
    const id = `${epic}.${number}`;
    const at = { file: path, line: 1 };
    const story = readStory(files, path, id);
    const group: SourceItem = {
      key: keyOf(epic),
      id: epic,
      title: `Epic ${epic}`,
      status: null,
      progress: "open",
      isGroup: true,
      tier: "feature",
      at,
    };
    epics.set(epic, group);
    const progress = progressOfWord(story.status) ?? "open";
    const title = story.title ?? name;
    found.items.push(
      { key: keyOf(id), id, title, body: story.body, parent: keyOf(epic), status: story.status, progress, at },
      ...story.tasks,
    );
  }
  found.items.unshift(...epics.values());
  return readOf(found);
}
