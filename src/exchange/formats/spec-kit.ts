// spec-kit: a folder for each feature, with phases and numbered tasks in tasks.md.

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
import { pathsIn } from "../source/clean.js";
import { impliedOrder, type Listed } from "../source/order.js";
import { Collected, type SourceItem, type SourceRead } from "../source/source.js";
import { priorityOfWord } from "../source/words.js";
import type { Format } from "./format.js";

const FOLDERS = ["specs", ".specify/specs"];

export const specKit: Format = {
  name: "spec-kit",
  title: "spec-kit",
  find: (files) => FOLDERS.filter((folder) => specsIn(files, folder).length > 0),
  read,
};

const specsIn = (files: SourceFiles, folder: string): string[] =>
  files.names(folder, "folder").filter((name) => /^\d{2,4}-/.test(name) && files.isFile(`${folder}/${name}/tasks.md`));

function read(files: SourceFiles, folder: string): SourceRead {
  const found = new Collected();
  for (const spec of specsIn(files, folder)) {
    const path = `${folder}/${spec}/tasks.md`;
    const reader = new SpecReader(spec, path, found);
    for (const block of readHeadedList(files.text(path))) {
      if (block.kind === "heading") reader.heading(block);
      else if (block.kind === "entry") reader.entry(block);
      else reader.text(block.text);
    }
    found.items.push(...reader.items());
  }
  return { tool: "spec-kit", title: "spec-kit", items: found.items, findings: found.findings };
}

interface Phase {
  readonly item: SourceItem;
  readonly number: string;
  readonly body: string[];
  readonly tasks: Listed[];
}

const TASK = /^(?:\*\*)?(T\d+[a-z]?)(?:\*\*)?:?\s+(.*)$/;
const PHASE = /^Phase\s+(\w+)\s*[:—–-]\s*(.*)$/i;

class SpecReader {
  readonly #spec: string;
  readonly #path: string;
  readonly #found: Collected;
  readonly #phases: Phase[] = [];
  readonly #tasks: SourceItem[] = [];
  readonly #seen = new Map<string, number>();
  /** What the text says of phases, by the number of the one that waits. */
  readonly #waits = new Map<string, string[]>();
  #title: string;
  #phase: Phase | undefined;

  constructor(spec: string, path: string, found: Collected) {
    this.#spec = spec;
    this.#title = spec;
    this.#path = path;
    this.#found = found;
  }

  #key(id: string): string {
    return `spec-kit:${this.#spec}:${id}`;
  }

  heading(block: Heading): void {
    if (block.level === 1) this.#title = block.text.replace(/^Tasks:\s*/i, "");
    if (block.level > 2) return;
    const [, number = "", title = ""] = PHASE.exec(block.text) ?? [];
    this.#phase = undefined;
    if (number === "") return;
    const id = `${this.#spec}/phase-${number.toLowerCase()}`;
    const item: SourceItem = {
      key: this.#key(`phase-${number.toLowerCase()}`),
      id,
      title: title.replace(/\s*🎯.*$/u, "").trim(),
      parent: this.#key("*"),
      status: null,
      progress: "open",
      isGroup: true,
      tier: "story",
      priority: priorityOfWord(/\(Priority:\s*(P\d)\)/i.exec(title)?.[1] ?? ""),
      at: placeAt(this.#path, block),
    };
    this.#phase = { item, number, body: [], tasks: [] };
    this.#phases.push(this.#phase);
  }

  text(line: string): void {
    if (!/^-{3,}$/.test(line)) this.#phase?.body.push(line);
  }

  entry(block: ListEntry): void {
    const at = placeAt(this.#path, block);
    const [, id = "", rest = ""] = TASK.exec(block.text) ?? [];
    if (block.marker === null || id === "") {
      if (block.marker !== null)
        this.#found.note(at, `A box without a number such as T012 was left out: ${block.text.slice(0, 80)}`);
      else if (id !== "") this.#found.note(at, `${id}: A line without a box was left out.`);
      else this.#wait(block.text);
      return;
    }
    const times = (this.#seen.get(id) ?? 0) + 1;
    this.#seen.set(id, times);
    const key = times === 1 ? this.#key(id) : this.#key(`${id}#${times}`);
    if (times > 1) this.#found.note(at, `${id}: The number is used ${times} times.`);
    const isParallel = /^(?:\[[^\]]*\]\s*)*\[P\]/.test(rest);
    this.#phase?.tasks.push({ key, isParallel });
    const isDone = isTicked(block.marker);
    this.#tasks.push({
      key,
      id,
      title: rest.replace(/^(?:\[(?:P|US\d+|Story)\]\s*)+/, ""),
      body: detailsText(block),
      parent: this.#phase?.item.key ?? this.#key("*"),
      dependsOn: dependenciesIn(rest).map((on) => this.#key(on)),
      status: isDone ? "done" : "open",
      progress: isDone ? "done" : "open",
      priority: this.#phase?.item.priority,
      files: pathsIn(rest),
      at,
    });
  }

  /** `**US2 (Phase 4)**: Depends on Phase 3` */
  #wait(text: string): void {
    const [, number = "", says = ""] = /\(Phase (\w+)\)\**:?\**\s*(.*)$/i.exec(text) ?? [];
    if (/^depends on/i.test(says))
      for (const [, on = ""] of says.matchAll(/Phase (\w+)/gi)) append(this.#waits, number, on);
  }

  items(): SourceItem[] {
    const at = { file: this.#path, line: 1 };
    const feature: SourceItem = {
      key: this.#key("*"),
      id: this.#spec,
      displayId: this.#spec,
      title: this.#title,
      status: null,
      progress: "open",
      isGroup: true,
      tier: "feature",
      at,
    };
    const order = new Map(this.#phases.flatMap(({ tasks }) => [...impliedOrder(tasks)]));
    const phases = this.#phases.map((phase, i) => ({
      ...phase.item,
      body: phase.body.join("\n"),
      after: this.#before(phase, i),
    }));
    const tasks = this.#tasks.map((task) => ({ ...task, after: order.get(task.key) ?? [] }));
    return [feature, ...phases, ...tasks];
  }

  /** Setup, then what all need, then the user stories side by side, then the rest. */
  #before(phase: Phase, index: number): string[] {
    const said = this.#waits.get(phase.number) ?? [];
    const named = this.#phases.filter(({ number }) => said.includes(number));
    const earlier = this.#phases.slice(0, index);
    if (named.length > 0) return named.map(({ item }) => item.key);
    const waitsFor = isStory(phase) ? earlier.filter((other) => !isStory(other)) : earlier;
    return waitsFor.map(({ item }) => item.key);
  }
}

const isStory = ({ item }: Phase): boolean => /^User Story/i.test(item.title);

const dependenciesIn = (text: string): string[] => {
  const said = /depends on ((?:T\d+[a-z]?(?:\s*(?:,|and|&)\s*)?)+)/i.exec(text)?.[1] ?? "";
  return [...said.matchAll(/T\d+[a-z]?/g)].map(([id]) => id);
};
