// OpenSpec: a folder for each change, with groups of boxes in tasks.md.

import {
  detailsText,
  type Heading,
  isTicked,
  type ListEntry,
  placeAt,
  readHeadedList,
} from "../readers/headed-list.js";
import type { SourceFiles } from "../readers/source-files.js";
import { checksIn, pathsIn } from "../source/clean.js";
import { Collected, type SourceItem, type SourceRead } from "../source/source.js";
import type { Format } from "./format.js";

const CHANGES = "openspec/changes";

export const openspec: Format = {
  name: "openspec",
  title: "OpenSpec",
  find: (files) => (files.isFolder(CHANGES) ? [CHANGES] : []),
  read,
};

function read(files: SourceFiles): SourceRead {
  const found = new Collected();
  for (const name of files.names(CHANGES, "folder"))
    if (name !== "archive") readChange(found, files, `${CHANGES}/${name}`, name);
  for (const name of files.names(`${CHANGES}/archive`, "folder")) {
    readChange(found, files, `${CHANGES}/archive/${name}`, name, true);
  }
  return { tool: "OpenSpec", title: "OpenSpec", items: found.items, findings: found.findings };
}

function readChange(found: Collected, files: SourceFiles, folder: string, name: string, isArchived = false): void {
  const path = `${folder}/tasks.md`;
  const proposal = `${folder}/proposal.md`;
  const reader = new ChangeReader(name, path);
  if (files.isFile(path)) {
    for (const block of readHeadedList(files.text(path))) {
      if (block.kind === "heading") reader.heading(block);
      else if (block.kind === "entry") reader.entry(block);
    }
  }
  const change: SourceItem = {
    key: `openspec:${name}:*`,
    id: name,
    displayId: name,
    title: isArchived ? name.replace(/^\d{4}-\d{2}-\d{2}-/, "") : name,
    body: files.isFile(proposal) ? files.text(proposal) : "",
    status: isArchived ? "archived" : reader.status(),
    progress: "open",
    isArchived,
    isGroup: true,
    tier: "feature",
    at: { file: files.isFile(path) ? path : proposal, line: 1 },
  };
  found.items.push(change, ...reader.items);
  found.findings.push(...reader.found.findings);
}

class ChangeReader {
  readonly found = new Collected();
  readonly items: SourceItem[] = [];
  readonly #name: string;
  readonly #path: string;
  readonly #entries: { readonly item: SourceItem; readonly indent: number }[] = [];
  readonly #seen = new Map<string, number>();
  #section: SourceItem | undefined;
  #boxes = 0;
  #done = 0;

  constructor(name: string, path: string) {
    this.#name = name;
    this.#path = path;
  }

  #key(id: string): string {
    const times = (this.#seen.get(id) ?? 0) + 1;
    this.#seen.set(id, times);
    return `openspec:${this.#name}:${times === 1 ? id : `${id}#${times}`}`;
  }

  heading(block: Heading): void {
    this.#entries.length = 0;
    if (block.level !== 2) return;
    const [, number = block.text, title = block.text] = /^(\d+)\.?\s+(.*)$/.exec(block.text) ?? [];
    this.#section = {
      key: this.#key(number),
      id: `${this.#name}#${number}`,
      title,
      parent: `openspec:${this.#name}:*`,
      status: null,
      progress: "open",
      isGroup: true,
      at: placeAt(this.#path, block),
    };
    this.items.push(this.#section);
  }

  entry(block: ListEntry): void {
    if (block.marker === null) {
      this.#entries.length = 0;
      return;
    }
    this.#boxes++;
    const [, number = `task-${this.#boxes}`, title = block.text] = /^(\d+(?:\.\d+)+)\.?\s+(.*)$/.exec(block.text) ?? [];
    while ((this.#entries.at(-1)?.indent ?? -1) >= block.indent) this.#entries.pop();
    const isDone = isTicked(block.marker);
    if (isDone) this.#done++;
    const item: SourceItem = {
      key: this.#key(number),
      id: `${this.#name}#${number}`,
      title,
      body: detailsText(block),
      parent: (this.#entries.at(-1)?.item ?? this.#section)?.key ?? `openspec:${this.#name}:*`,
      status: isDone ? "done" : "open",
      progress: isDone ? "done" : "open",
      files: pathsIn(title),
      checks: checksIn(/\(verify: [^)]*\)/i.exec(title)?.[0] ?? ""),
      at: placeAt(this.#path, block),
    };
    this.items.push(item);
    this.#entries.push({ item, indent: block.indent });
  }

  status(): string {
    return this.#boxes === 0 ? "no-tasks" : this.#done === this.#boxes ? "complete" : "in-progress";
  }
}
