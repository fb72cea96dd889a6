// Kiro: a folder for each spec, with numbered boxes in tasks.md.

import { append } from "../../base/append.js";
import { type Block, detailsText, isTicked, type ListEntry, placeAt, readHeadedList } from "../readers/headed-list.js";
import type { SourceFiles } from "../readers/source-files.js";
import { impliedOrder, type Listed } from "../source/order.js";
import { Collected, type SourceItem, type SourceRead } from "../source/source.js";
import type { Format } from "./format.js";

const SPECS = ".kiro/specs";

export const kiro: Format = {
  name: "kiro",
  title: "Kiro",
  find: (files) => (specsIn(files).length > 0 ? [SPECS] : []),
  read,
};

const specsIn = (files: SourceFiles): string[] =>
  files.names(SPECS, "folder").filter((name) => files.isFile(`${SPECS}/${name}/tasks.md`));

function read(files: SourceFiles): SourceRead {
  const found = new Collected();
  for (const spec of specsIn(files)) readSpec(found, files, spec);
  return { tool: "Kiro", title: "Kiro specs", items: found.items, findings: found.findings };
}

const NUMBERED = /^(\d+(?:\.\d+)*)\.?\s+(.*)$/;

function readSpec(found: Collected, files: SourceFiles, spec: string): void {
  const path = `${SPECS}/${spec}/tasks.md`;
  const key = (number: string): string => `kiro:${spec}:${number}`;
  const feature: SourceItem = {
    key: key("*"),
    id: spec,
    displayId: spec,
    title: spec,
    status: null,
    progress: "open",
    isGroup: true,
    tier: "feature",
    at: { file: path, line: 1 },
  };
  const seen = new Map<string, number>();
  const siblings = new Map<string, Listed[]>();
  const items: SourceItem[] = [];
  for (const block of readHeadedList(files.text(path))) {
    if (block.kind === "heading" && block.level === 2) {
      const [, number = "", title = ""] = NUMBERED.exec(block.text) ?? [];
      if (number === "" || seen.has(number)) continue;
      seen.set(number, 1);
      append(siblings, key("*"), { key: key(number), isParallel: false });
      items.push(groupItem(block, { spec, number, title, parent: key("*"), key: key(number), path }));
    }
    if (block.kind !== "entry" || block.marker === null) continue;
    const [, number = "", title = ""] = NUMBERED.exec(block.text) ?? [];
    if (number === "") {
      found.note(placeAt(path, block), `A box without a number was left out: ${block.text.slice(0, 80)}`);
      continue;
    }
    const times = (seen.get(number) ?? 0) + 1;
    seen.set(number, times);
    if (times > 1) found.note(placeAt(path, block), `${number}: The number is used ${times} times.`);
    const above = number.includes(".") ? number.slice(0, number.lastIndexOf(".")) : "";
    const parent = above === "" || !seen.has(above) ? key("*") : key(above);
    const item = taskItem(block, {
      spec,
      number,
      title,
      parent,
      key: key(times === 1 ? number : `${number}#${times}`),
      path,
    });
    append(siblings, parent, { key: item.key, isParallel: /\(P\)/.test(title), isOptional: block.isOptional });
    items.push(item);
  }
  const order = new Map([...siblings.values()].flatMap((list) => [...impliedOrder(list)]));
  found.items.push(feature, ...items.map((item) => ({ ...item, after: order.get(item.key) ?? [] })));
}

interface Numbered {
  readonly spec: string;
  readonly number: string;
  readonly title: string;
  readonly parent: string;
  readonly key: string;
  readonly path: string;
}

const groupItem = (block: Block, { spec, number, title, parent, key, path }: Numbered): SourceItem => ({
  key,
  id: `${spec}#${number}`,
  title,
  parent,
  status: null,
  progress: "open",
  isGroup: true,
  at: placeAt(path, block),
});

function taskItem(block: ListEntry, { spec, number, title, parent, key, path }: Numbered): SourceItem {
  const marker = block.marker ?? "";
  const status = isTicked(marker) ? "done" : marker.trim() === "-" ? "in_progress" : "open";
  const body = detailsText(block);
  const depends = /_Depends:\s*([^_]*)_/i.exec(body)?.[1] ?? "";
  return {
    key,
    id: `${spec}#${number}`,
    title: title.replace(/\s*\(P\)\s*/g, " ").trim(),
    body,
    parent,
    dependsOn: [...depends.matchAll(/\d+(?:\.\d+)*/g)].map(([on]) => `kiro:${spec}:${on}`),
    status,
    progress: status === "done" ? "done" : status === "in_progress" ? "active" : "open",
    labels: block.isOptional ? ["optional"] : [],
    at: placeAt(path, block),
  };
}
