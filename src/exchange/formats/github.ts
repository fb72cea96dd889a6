// Issues as `gh issue list --json …` prints them, or as the REST API answers. Relations that GitHub knows win over words in the text.

import { isRecord } from "../../base/json.js";
import { parseJsonFile } from "../readers/json.js";
import type { SourceFiles } from "../readers/source-files.js";
import { type Fields, fieldNumber, fieldOf, fieldText, recordsOf } from "../readers/values.js";
import {
  Collected,
  type Place,
  type SourceItem,
  SourceProblem,
  type SourceProgress,
  type SourceRead,
} from "../source/source.js";
import { priorityInLabels } from "../source/words.js";
import type { Format } from "./format.js";

export const github: Format = {
  name: "github-issues",
  title: "GitHub issues",
  find: (files) =>
    files.names("", "file").filter((name) => /^(?:github-)?issues\.json$/i.test(name) && isIssues(files.text(name))),
  recognizes: (path, beginning) => path.endsWith(".json") && isIssues(beginning),
  read,
};

const isIssues = (text: string): boolean =>
  /^\s*\[/.test(text) && /"number"\s*:/.test(text.slice(0, 20_000)) && /"state"/.test(text.slice(0, 20_000));

/** An issue of this list by its number, or of another repository by its name. */
type Ref = number | string;

interface Words {
  readonly dependsOn: readonly Ref[];
  readonly blocks: readonly Ref[];
  readonly parents: readonly Ref[];
  readonly children: readonly Ref[];
}

function read(files: SourceFiles, path: string): SourceRead {
  const value = parseJsonFile(files.text(path), path);
  if (!Array.isArray(value)) throw new SourceProblem({ file: path, line: 1 }, "The file holds no list of issues.");
  const issues = value.filter((each): each is Fields => isRecord(each) && fieldOf(each, "pull_request") === undefined);
  const own = ownRepository(issues);
  const at: Place = { file: path };
  const found = new Collected();
  const numbers = new Set(issues.map((issue) => fieldNumber(issue, "number")));
  const keyOf = (ref: Ref): string => (typeof ref === "number" ? `github:${own}:${ref}` : `github::${ref}`);
  const words = new Map(
    issues.map((issue) => [fieldNumber(issue, "number") ?? 0, wordsIn(fieldText(issue, "body"), own, numbers)]),
  );
  const parents = parentsOf(issues, words);
  const blockers = blockersOf(issues, words, own);
  const milestones = new Map<string, SourceItem>();
  for (const issue of issues) {
    const number = fieldNumber(issue, "number");
    if (number === null) {
      found.note(at, `An entry without a number was left out: ${fieldText(issue, "title") || "no title"}.`);
      continue;
    }
    noteCuts(found, at, issue, number);
    const parent = parents.get(number);
    const milestone = parent === undefined ? milestoneOf(issue, own, at, milestones) : undefined;
    found.items.push({
      ...issueItem(issue, number),
      key: keyOf(number),
      parent: parent === undefined ? (milestone ?? null) : keyOf(parent),
      dependsOn: [...(blockers.get(number) ?? [])].map(keyOf),
      at,
    });
  }
  const items = [...milestones.values(), ...found.items];
  return {
    tool: "GitHub",
    title: own === "" ? "GitHub issues" : own,
    items,
    findings: found.findings,
    droppedFrees: true,
  };
}

function issueItem(issue: Fields, number: number): Omit<SourceItem, "key" | "at"> {
  const labels = recordsOf(issue, "labels").map((label) => fieldText(label, "name"));
  const state = fieldText(issue, "state");
  const body = fieldText(issue, "body");
  const assignees = recordsOf(issue, "assignees").map((each) => fieldText(each, "login"));
  return {
    id: String(number),
    displayId: `GH-${number}`,
    title: fieldText(issue, "title"),
    body,
    status: state,
    progress: progressOfIssue(state, fieldText(issue, "stateReason", "state_reason")),
    labels,
    priority: priorityInLabels(labels),
    comments: assignees.length > 0 ? [`Assigned in GitHub to ${assignees.join(", ")}.`] : [],
  };
}

const progressOfIssue = (state: string, reason: string): SourceProgress => {
  if (state.toLowerCase() !== "closed") return "open";
  return /^(?:not_planned|duplicate)$/i.test(reason) ? "dropped" : "done";
};

/** Of the issues themselves, or the one that most relations lead to. */
function ownRepository(issues: readonly Fields[]): string {
  const counts = new Map<string, number>();
  const count = (url: string): void => {
    const name = /github\.com\/(?:repos\/)?([\w.-]+\/[\w.-]+)\/issues\/\d+/.exec(url)?.[1];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const issue of issues) {
    count(fieldText(issue, "url"));
    for (const each of relations(issue, "blockedBy", "blocking", "subIssues")) count(fieldText(each, "url"));
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

function relations(issue: Fields, ...names: readonly string[]): Fields[] {
  return names.flatMap((name) => {
    const relation = fieldOf(issue, name);
    return isRecord(relation) ? recordsOf(relation, "nodes") : [];
  });
}

function refOf(related: Fields, own: string): Ref | undefined {
  const [, name, number] = /([\w.-]+\/[\w.-]+)\/issues\/(\d+)$/.exec(fieldText(related, "url")) ?? [];
  if (name !== undefined && own !== "" && name !== own) return `${name}#${number}`;
  return fieldNumber(related, "number") ?? undefined;
}

function parentsOf(issues: readonly Fields[], words: ReadonlyMap<number, Words>): Map<number, number> {
  const parents = new Map<number, number>();
  const put = (child: Ref | null | undefined, parent: Ref | null | undefined): void => {
    if (typeof child !== "number" || typeof parent !== "number" || child === parent || parents.has(child)) return;
    parents.set(child, parent);
  };
  for (const issue of issues) {
    const parent = fieldOf(issue, "parent");
    const url = /\/issues\/(\d+)$/.exec(fieldText(issue, "parent_issue_url"))?.[1];
    put(
      fieldNumber(issue, "number"),
      isRecord(parent) ? fieldNumber(parent, "number") : url === undefined ? null : Number(url),
    );
  }
  for (const issue of issues)
    for (const child of relations(issue, "subIssues")) put(fieldNumber(child, "number"), fieldNumber(issue, "number"));
  for (const [number, said] of words) for (const parent of said.parents) put(number, parent);
  for (const [number, said] of words) for (const child of said.children) put(child, number);
  return parents;
}

function blockersOf(issues: readonly Fields[], words: ReadonlyMap<number, Words>, own: string): Map<number, Set<Ref>> {
  const blockers = new Map<number, Set<Ref>>();
  const put = (number: number, ref: Ref): void =>
    void blockers.set(number, (blockers.get(number) ?? new Set()).add(ref));
  for (const issue of issues) {
    const number = fieldNumber(issue, "number") ?? 0;
    const known = relations(issue, "blockedBy").flatMap((each) => refOf(each, own) ?? []);
    for (const ref of known.length > 0 ? known : (words.get(number)?.dependsOn ?? [])) put(number, ref);
    for (const ref of relations(issue, "blocking").flatMap((each) => refOf(each, own) ?? []))
      if (typeof ref === "number") put(ref, number);
    for (const ref of words.get(number)?.blocks ?? []) if (typeof ref === "number") put(ref, number);
  }
  return blockers;
}

function noteCuts(found: Collected, at: Place, issue: Fields, number: number): void {
  for (const name of ["subIssues", "blockedBy", "blocking"]) {
    const relation = fieldOf(issue, name);
    const total = isRecord(relation) ? (fieldNumber(relation, "totalCount") ?? 0) : 0;
    const named = relations(issue, name).length;
    if (total > named) found.note(at, `GH-${number}: GitHub named only ${named} of ${total} entries of ${name}.`);
  }
  const summary = fieldOf(issue, "issue_dependencies_summary");
  const blocked = isRecord(summary) ? (fieldNumber(summary, "blocked_by") ?? 0) : 0;
  if (blocked > 0)
    found.note(
      at,
      `GH-${number}: It waits for ${blocked} more that this file does not name. \`gh issue list\` names them.`,
    );
}

function milestoneOf(issue: Fields, own: string, at: Place, known: Map<string, SourceItem>): string | undefined {
  const milestone = fieldOf(issue, "milestone");
  const title = isRecord(milestone) ? fieldText(milestone, "title") : "";
  if (title === "") return undefined;
  const key = `github:${own}:milestone ${title}`;
  const body = isRecord(milestone) ? fieldText(milestone, "description") : "";
  known.set(key, { key, id: title, title, body, status: null, progress: "open", isGroup: true, tier: "feature", at });
  return key;
}

const REF = /(?:https:\/\/github\.com\/)?([\w.-]+\/[\w.-]+)?(?:#|\/issues\/)(\d+)\b/g;
const ONE = String.raw`(?:https://github\.com/\S+?/issues/\d+|(?:[\w.-]+/[\w.-]+)?#\d+)`;
const SEVERAL = String.raw`[:*\s]*(${ONE}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)${ONE})*)`;

/** What the text says of other issues; not in code and comments. */
function wordsIn(body: string, own: string, numbers: ReadonlySet<number | null>): Words {
  const text = body
    .replace(/\r\n/g, "\n")
    .replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "");
  const refs = (part: string): Ref[] =>
    [...part.matchAll(REF)].map(([, name, number]) => {
      const isOurs =
        name === undefined || (own === "" ? numbers.has(Number(number)) && part.includes("github.com") : name === own);
      return isOurs ? Number(number) : `${name}#${number}`;
    });
  const after = (words: string): Ref[] =>
    [...text.matchAll(new RegExp(`(?:${words})${SEVERAL}`, "gi"))].flatMap(([, part = ""]) => refs(part));
  const below = (heading: string): Ref[] => {
    const section = new RegExp(`^#{1,6} +${heading} *\\n([\\s\\S]*?)(?=^#|$(?![\\s\\S]))`, "im").exec(text)?.[1] ?? "";
    return refs(
      section
        .split("\n")
        .filter((line) => /^\s*(?:[-*+]\s+)?(?:https:|[\w.-]+\/[\w.-]+#|#)/.test(line))
        .join("\n"),
    );
  };
  const boxes = [...text.matchAll(/^\s*[-*+] \[[ xX]\] +(\S+)\s*$/gm)].flatMap(([, part = ""]) => refs(part));
  return {
    dependsOn: [...after("depends on|blocked by|waits for"), ...below("(?:blocked by|depends on|dependencies)")],
    blocks: after("\\bblocks"),
    parents: [...after("parent|epic"), ...below("(?:parent|epic)")],
    children: boxes,
  };
}
