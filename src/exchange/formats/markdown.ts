// Any Markdown file: headings are containers, boxes are tasks, nesting is by indentation.

import { basename } from "node:path";
import { append } from "../../base/append.js";
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
import { Collected, type SourceItem, type SourceProgress, type SourceRead } from "../source/source.js";
import type { Format, SourceOptions } from "./format.js";

const NAMES = /^(?:todo|todos|roadmap|tasks|backlog|plan|prd|checklist)\.(?:md|markdown)$/i;
const FOLDERS = ["", "docs", "doc", ".github"];

export const markdown: Format = {
  name: "markdown",
  title: "Markdown",
  find: (files) =>
    FOLDERS.flatMap((folder) =>
      files
        .names(folder, "file")
        .filter((name) => NAMES.test(name))
        .map((name) => (folder === "" ? name : `${folder}/${name}`)),
    ),
  recognizes: (path) => /\.(?:md|markdown|txt)$/i.test(path),
  read: readList,
};

const MARKS: readonly (readonly [marks: string, status: string, progress: SourceProgress])[] = [
  ["~/^*", "in_progress", "active"],
  [">", "deferred", "frozen"],
  ["-", "dropped", "dropped"],
  ["!", "blocked", "frozen"],
];

function stateOf(marker: string): readonly [status: string, progress: SourceProgress] {
  if (isTicked(marker)) return ["done", "done"];
  const mark = marker.trim();
  const found = mark === "" ? undefined : MARKS.find(([marks]) => marks.includes(mark));
  return found ? [found[1], found[2]] : ["open", "open"];
}

const FINISHED = /[✅✔☑]|\b(?:COMPLETED?|DONE)\b/u;

interface OpenHeading {
  readonly item: SourceItem;
  readonly level: number;
  readonly isFinished: boolean;
}

function readList(files: SourceFiles, path: string, options: SourceOptions): SourceRead {
  const list = new ListReader(path, options.bullets === true);
  for (const block of readHeadedList(files.text(path))) {
    if (block.kind === "heading") list.heading(block);
    else if (block.kind === "text") list.intro(block.text);
    else if (block.marker === null && !options.bullets) list.plain(block);
    else list.entry(block);
  }
  return list.done();
}

class ListReader {
  readonly #path: string;
  readonly #takesBullets: boolean;
  readonly #found = new Collected();
  readonly #keys = new Set<string>();
  readonly #headings: OpenHeading[] = [];
  readonly #entries: { readonly item: SourceItem; readonly indent: number }[] = [];
  readonly #intros = new Map<string, string[]>();
  #boxes = 0;

  constructor(path: string, takesBullets: boolean) {
    this.#path = path;
    this.#takesBullets = takesBullets;
  }

  /** The way of titles that leads to it, so that another import finds it again wherever it stands. */
  #keyFor(above: SourceItem | undefined, title: string): string {
    const way = `${above?.key ?? `markdown:${this.#path}:`}/${title.replace(/\s+/g, " ")}`;
    for (let i = 1; ; i++) {
      const key = i === 1 ? way : `${way}#${i}`;
      if (this.#keys.has(key)) continue;
      this.#keys.add(key);
      return key;
    }
  }

  heading(block: Heading): void {
    this.#entries.length = 0;
    while ((this.#headings.at(-1)?.level ?? 0) >= block.level) this.#headings.pop();
    const above = this.#headings.at(-1);
    const item: SourceItem = {
      key: this.#keyFor(above?.item, block.text),
      id: above ? `${above.item.id}/${block.text}` : `h:${block.text}`,
      title: plainTitle(block),
      uuid: block.uuid,
      parent: above?.item.key ?? null,
      status: null,
      progress: "open",
      isGroup: true,
      at: placeAt(this.#path, block),
    };
    this.#found.items.push(item);
    const isFinished = FINISHED.test(block.text) || above?.isFinished === true;
    this.#headings.push({ item, level: block.level, isFinished });
  }

  intro(text: string): void {
    const heading = this.#headings.at(-1);
    if (heading) append(this.#intros, heading.item.key, text);
  }

  plain({ text }: ListEntry): void {
    this.#entries.length = 0;
    this.intro(`- ${text}`);
  }

  entry(block: ListEntry): void {
    const heading = this.#headings.at(-1);
    while ((this.#entries.at(-1)?.indent ?? -1) >= block.indent) this.#entries.pop();
    const above = this.#entries.at(-1)?.item ?? heading?.item;
    const item = itemOf(block, {
      key: this.#keyFor(above, block.text),
      id: `t${++this.#boxes}`,
      parent: above?.key ?? null,
      isFinished: block.marker === null && heading?.isFinished === true,
      at: placeAt(this.#path, block),
    });
    this.#found.items.push(item);
    this.#entries.push({ item, indent: block.indent });
  }

  done(): SourceRead {
    if (this.#boxes === 0 && !this.#takesBullets) {
      const advice =
        "The file has no check boxes, so nothing in it is a task. Add --bullets to take list items as tasks.";
      this.#found.note({ file: this.#path }, advice);
    }
    const body = ({ key }: SourceItem): string => (this.#intros.get(key) ?? []).join("\n");
    const items = this.#found.items.map((item) => (item.isGroup ? { ...item, body: body(item) } : item));
    return { tool: "Markdown", title: basename(this.#path), items, findings: this.#found.findings };
  }
}

/** Without what an export put around it. */
const plainTitle = ({ text, uuid }: Pick<ListEntry, "text" | "uuid">): string =>
  uuid === undefined ? text : text.replace(/^\S+ /, "").replace(/ \(after [^()]*\)$/, "");

function itemOf(
  entry: ListEntry,
  { key, id, parent, isFinished, at }: Pick<SourceItem, "key" | "id" | "parent" | "at"> & { isFinished: boolean },
): SourceItem {
  const [status, progress] = isFinished ? (["done", "done"] as const) : stateOf(entry.marker ?? "");
  const body = detailsText(entry);
  const checks = checksIn(/\(verify: [^)]+\)/.exec(entry.text)?.[0] ?? "");
  return {
    key,
    id,
    parent,
    at,
    title: plainTitle(entry),
    uuid: entry.uuid,
    body,
    status,
    progress,
    files: pathsIn(entry.text),
    checks,
  };
}
