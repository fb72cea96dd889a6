// GSD: phases in a roadmap, plans in a folder for each phase, and tasks inside of a plan. A plan is done when its summary exists.

import { append } from "../../base/append.js";
import { readFrontMatter } from "../readers/front-matter.js";
import { readHeadedList } from "../readers/headed-list.js";
import type { SourceFiles } from "../readers/source-files.js";
import { listedWords, sections } from "../readers/values.js";
import { checksIn } from "../source/clean.js";
import { Collected, type SourceItem, type SourceRead } from "../source/source.js";
import type { Format } from "./format.js";

const FOLDER = ".planning";
const ROADMAP = `${FOLDER}/ROADMAP.md`;

export const gsd: Format = {
  name: "gsd",
  title: "GSD",
  find: (files) => (files.isFile(ROADMAP) ? [FOLDER] : []),
  read,
};

interface Phase {
  readonly number: string;
  readonly title: string;
  readonly line: number;
  readonly text: string[];
}

const keyOf = (id: string): string => `gsd::${id}`;

function read(files: SourceFiles): SourceRead {
  const found = new Collected();
  const titles = new Map<string, string>();
  const phases = phasesIn(files.text(ROADMAP), titles);
  const plans = new Map<string, SourceItem[]>();
  for (const folder of files.names(`${FOLDER}/phases`, "folder")) readPlans(found, files, { folder, titles, plans });
  const features = phases.map((phase) => phaseItem(phase, plans.get(numberIn(phase.number)) ?? []));
  return { tool: "GSD", title: "GSD", items: [...features, ...found.items], findings: found.findings };
}

/** `01` and `1` are one. */
const numberIn = (text: string): string => text.replace(/^0+(?=\d)/, "");

function phasesIn(text: string, titles: Map<string, string>): Phase[] {
  const phases: Phase[] = [];
  for (const block of readHeadedList(text)) {
    if (block.kind === "heading") {
      const [, number = "", title = ""] = /^Phase\s+([\d.]+):\s*(.*)$/.exec(block.text) ?? [];
      if (number !== "") phases.push({ number, title, line: block.line, text: [] });
    } else if (block.kind === "text") phases.at(-1)?.text.push(block.text);
    else {
      const [, id = "", title = ""] = /^(\d[\d.]*-\d+):\s*(.*)$/.exec(block.text) ?? [];
      if (id !== "") titles.set(id, title);
      else phases.at(-1)?.text.push(block.text);
    }
  }
  return phases;
}

function phaseItem({ number, title, line, text }: Phase, plans: readonly SourceItem[]): SourceItem {
  const done = plans.filter(({ status }) => status === "done").length;
  const body = text.join("\n");
  const waits = /\*\*Depends on\*\*:\s*(.*)/i.exec(body)?.[1] ?? "";
  return {
    key: keyOf(`phase-${number}`),
    id: `phase-${number}`,
    title,
    body,
    dependsOn: [...waits.matchAll(/Phase\s+([\d.]*\d)/gi)].map(([, on = ""]) => keyOf(`phase-${on}`)),
    status: plans.length > 0 && done === plans.length ? "complete" : done > 0 ? "in-progress" : "not-started",
    progress: "open",
    tier: "feature",
    at: { file: ROADMAP, line },
  };
}

interface Around {
  readonly folder: string;
  readonly titles: ReadonlyMap<string, string>;
  readonly plans: Map<string, SourceItem[]>;
}

function readPlans(found: Collected, files: SourceFiles, { folder, titles, plans }: Around): void {
  const path = `${FOLDER}/phases/${folder}`;
  const number = numberIn(/^[\d.]+/.exec(folder)?.[0] ?? "");
  for (const name of files.names(path, "file").filter((each) => each.endsWith("-PLAN.md"))) {
    const id = name.replace(/-PLAN\.md$/, "");
    const plan = readFrontMatter(files, `${path}/${name}`);
    if (!plan) continue;
    const isDone = files.isFile(`${path}/${id}-SUMMARY.md`);
    const state = isDone
      ? ({ status: "done", progress: "done" } as const)
      : ({ status: "open", progress: "open" } as const);
    const item: SourceItem = {
      key: keyOf(id),
      id,
      title: titles.get(id) ?? id,
      body: /<objective>([\s\S]*?)<\/objective>/.exec(plan.body)?.[1]?.trim(),
      parent: keyOf(`phase-${number}`),
      dependsOn: listedWords(plan.fields, "depends_on").map(keyOf),
      ...state,
      tier: "story",
      files: listedWords(plan.fields, "files_modified"),
      labels: listedWords(plan.fields, "requirements"),
      at: { file: plan.path, line: 1 },
    };
    append(plans, number, item);
    found.items.push(item, ...tasksIn(plan.body, item));
  }
}

const part = (text: string, name: string): string =>
  (new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1] ?? "").trim();

/** They stand in order, and each waits for the one before. */
const tasksIn = (body: string, plan: SourceItem): SourceItem[] =>
  [...body.matchAll(/<task(?:\s+type="([^"]*)")?[^>]*>([\s\S]*?)<\/task>/g)].map(([, type = "auto", text = ""], i) => ({
    key: `${plan.key}#${i + 1}`,
    id: `${plan.id}#${i + 1}`,
    title: part(text, "name").replace(/^Task\s+\d+:\s*/, ""),
    body: sections(["", part(text, "action")], ["Acceptance", part(text, "done")], ["Verify", part(text, "verify")]),
    parent: plan.key,
    dependsOn: i === 0 ? [] : [`${plan.key}#${i}`],
    status: plan.status,
    progress: plan.progress,
    isGate: type.startsWith("checkpoint"),
    files: part(text, "files")
      .split(",")
      .map((file) => file.trim()),
    checks: type.startsWith("checkpoint") ? [] : checksIn(`\`${part(text, "verify")}\``),
    at: plan.at,
  }));
