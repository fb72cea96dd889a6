// Files of other tools, each with what is in it: the nodes as the tool names them, what waits for what, and what the tool would do next.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { importRead } from "../../test/import.js";
import { makePlainPlan, must, mustFail } from "../../test/plan.js";
import type { Node, Nr } from "../model/node/node.js";
import { derivedUuid } from "../model/node/uuid5.js";
import type { Result } from "../model/result.js";
import { isFinished } from "../model/status/rollup.js";
import { undo } from "../verbs/history/take-back.js";
import { findSources, formatNamed, readSource } from "./read-source.js";
import type { SourceItem, SourceProgress, SourceRead } from "./source/source.js";

const CASES = resolve(import.meta.dirname, "../../test/fixtures/formats");

interface ExpectedNode {
  readonly id: string;
  readonly title: string;
  readonly status: string | null;
  readonly dependsOn: readonly string[];
  readonly parent: string | null;
}

interface Expected {
  readonly nodes: readonly ExpectedNode[];
  readonly ready: { ids?: readonly string[]; correct?: readonly string[]; proposed?: readonly string[] } | null;
}

interface Special {
  /** Where the case begins, if not in its own folder. */
  readonly folder?: string;
  readonly bullets?: true;
  /** Files that are broken on purpose: with them nothing is imported, and the message begins so. */
  readonly broken?: Readonly<Record<string, string>>;
  /** Nodes that we read in another way, with the reason. */
  readonly nodes?: Readonly<Record<string, Partial<ExpectedNode>>>;
  readonly skipped?: Readonly<Record<string, string>>;
  readonly extra?: readonly string[];
  /** The tool offers nothing that is part of something else. */
  readonly onlyTop?: true;
  /** What may begin here, where our rule is another one: why, and which ids it adds or takes away. */
  readonly ready?: { readonly why: string; readonly more?: readonly string[]; readonly less?: readonly string[] };
}

const LEFT_OUT = "a dependency that the plan cannot hold is left out and said, where the tool would wait for ever";

const SPECIAL: Readonly<Record<string, Special>> = {
  "markdown/todo-odd": { extra: ["h:Épic 日本語"], nodes: { t19: { parent: "h:Épic 日本語" } } },
  "markdown/roadmap-prose": { bullets: true },
  "markdown/roadmap-bullets": { bullets: true },
  "aura-frog/damaged": {
    broken: {
      ".claude/plans/features/FEAT-001_x/stories/STORY-0001_x/tasks/TASK-00008_noend/task.md":
        ".claude/plans/features/FEAT-001_x/stories/STORY-0001_x/tasks/TASK-00008_noend/task.md:1",
    },
    skipped: { "TASK-00008": "its file is the broken one" },
    ready: { why: "the tool offers nothing without an active story", more: ["TASK-00002", "TASK-00007"] },
  },
  "tasker/odd": { ready: { why: LEFT_OUT, more: ["T003", "T004"] } },
  "backlog-md/odd": {
    broken: {
      "backlog/tasks/task-8 - bad.md": "backlog/tasks/task-8 - bad.md:3",
      "backlog/tasks/task-9 - conflict.md": "backlog/tasks/task-9 - conflict.md:4",
    },
    ready: { why: LEFT_OUT, more: ["TASK-2", "TASK-3"] },
  },
  "backlog-md/real-medium": { ready: { why: LEFT_OUT, more: ["BACK-200"] } },
  "beads/form-1.0.3": { ready: { why: LEFT_OUT, more: ["rl-o5p6"] } },
  "github-issues/gh-list-relations": {
    ready: { why: "an issue of another repository is said, not waited for", more: ["22"] },
  },
  "bmad/v4-story": { extra: ["2"] },
  "bmad/v6-sprint-status": {
    ready: {
      why: "BMAD has no dependencies, and the case names no next story",
      more: ["33-1-vs-code-extension", "33-2-flagship-oss-runs-and-example-guide", "33-3-sarif-output-format"],
    },
  },
  "ccpm/small": { extra: ["archived/done-epic"], ready: { why: LEFT_OUT, more: ["old-idea/002"] } },
  "gsd/small": { ready: { why: "GSD offers a plan, and what begins is its first task", more: ["02-02#1"] } },
  "jira-csv/cloud-2025": { ready: { why: LEFT_OUT, more: ["RL-4"] } },
  "linear-csv/export-2026": {
    ready: {
      why: `${LEFT_OUT}, and RL-6 has a status of the team's own and no date of a start`,
      more: ["OPS-1", "RL-6"],
    },
  },
  // The tool takes the last line of an issue, and opens again what was closed later. The newest line counts here.
  "seeds/union-merge": { nodes: { "seeds-8741": { status: "closed", title: "Store the link" } } },
  "shrimp/mcp-small": { ready: { why: LEFT_OUT, more: ["5b5ce8ce-c491-45be-94f8-5bac2860661f"] } },
  "openspec/real-medium": {
    // The date is no part of the name, as in the other case of this tool.
    nodes: {
      "2025-08-19-add-zod-validation": { title: "add-zod-validation" },
      "2026-01-06-opsx-archive-command": { title: "opsx-archive-command" },
    },
  },
  "spec-kit/mixed-done": {
    ready: { why: "the file says that phases 6, 10 and 11 wait for phase 5", less: ["T046", "T063", "T065"] },
  },
  // A box outside of the phases belongs to the feature.
  "spec-kit/odd": { nodes: { T900: { parent: "003-odd" } } },
  "task-master/cli-small": { onlyTop: true },
  "task-master/tags": { onlyTop: true },
  "task-master/legacy-odd": { onlyTop: true, ready: { why: LEFT_OUT, more: ["10", "2", "4", "5"] } },
  "task-master/real-medium": { onlyTop: true },
  "claude-tasks/named-list-broken": {
    broken: { ".claude/tasks/reading-list/3.json": ".claude/tasks/reading-list/3.json:1" },
    ready: { why: LEFT_OUT, more: ["10"] },
  },
  "beads/merged-by-git": {
    folder: "union",
    ready: { why: "the case does not say what is ready", more: ["rl-a1b2.3", "rl-c3d4"] },
  },
};

const cases = readdirSync(CASES)
  .filter((tool) => statSync(join(CASES, tool)).isDirectory())
  .flatMap((tool) => readdirSync(join(CASES, tool)).map((name) => `${tool}/${name}`));

const NOW = Date.UTC(2026, 10, 18);

const readIn = (folder: string, name: string): Result<SourceRead>[] => {
  const [tool = ""] = name.split("/");
  const format = formatNamed(tool);
  if (!format) throw new Error(`No format is called ${tool}.`);
  const options = { bullets: SPECIAL[name]?.bullets === true, now: NOW };
  const sources = findSources(folder).filter((source) => source.format === tool);
  return sources.map(({ path }) => readSource(folder, format, path, options));
};

const readCase = (name: string): { expected: Expected; reads: SourceRead[] } => {
  const { folder = "", broken = {} } = SPECIAL[name] ?? {};
  const expected = JSON.parse(readFileSync(join(CASES, name, "expected.json"), "utf8")) as Expected;
  const copy = mkdtempSync(join(tmpdir(), "planwright-case-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(CASES, name, folder), copy, { recursive: true });
  for (const file of Object.keys(broken)) rmSync(join(copy, file));
  return { expected, reads: readIn(copy, name).map(must) };
};

const byId = (a: { id: string; title: string }, b: { id: string; title: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : a.title < b.title ? -1 : 1;

const afterColon = (key: string): string => key.slice(key.lastIndexOf(":") + 1);

/** Groups that only we make, such as one for a milestone, are left out. */
const inOurWords = (all: readonly SourceItem[], expected: readonly ExpectedNode[]) => {
  const wanted = new Set(expected.map(({ id }) => id));
  const items = all.filter(({ isGroup, id }) => isGroup !== true || wanted.has(id));
  const left = new Set(all.filter((item) => !items.includes(item)).map(({ key }) => key));
  const ids = new Map(items.map((item) => [item.key, item.id]));
  return items
    .map(({ id, title, status, dependsOn = [], parent }) => ({
      id,
      title: title.trim(),
      status,
      dependsOn: dependsOn.map((key) => (ids.get(key) ?? afterColon(key)).toLowerCase()).sort(),
      parent: parent == null || left.has(parent) ? null : (ids.get(parent) ?? afterColon(parent)).toLowerCase(),
    }))
    .sort(byId);
};

describe.each(cases)("%s", (name) => {
  const special = SPECIAL[name] ?? {};

  it("is read with the tool's own ids, words and dependencies", () => {
    const { expected, reads } = readCase(name);
    expect(reads.length).toBeGreaterThan(0);
    const extra = new Set(special.extra);
    const isBullet = (id: string): boolean => special.bullets === true && /^t\d+$/.test(id);
    const wanted = expected.nodes
      .filter(({ id }) => special.skipped?.[id] === undefined)
      .map((node) => ({ ...node, ...special.nodes?.[node.id] }))
      .map(({ id, title, status, dependsOn, parent }) => ({
        id,
        title: title.trim(),
        status,
        dependsOn: dependsOn.map((on) => on.toLowerCase()).sort(),
        parent: parent?.toLowerCase() ?? null,
      }))
      .sort(byId);
    const known = [...expected.nodes, ...[...extra].map((id) => ({ id }) as ExpectedNode)];
    const found = inOurWords(
      reads.flatMap(({ items }) => items),
      known,
    ).filter(({ id }) => !extra.has(id) && !isBullet(id));
    expect(found).toEqual(wanted);
  });

  it("comes into the plan with its tree, its progress and its order, and undo takes all of it back", async () => {
    const { expected, reads } = readCase(name);
    const plan = await makePlainPlan();
    const items = reads.flatMap((read) => read.items);
    for (const read of reads) must(await importRead(plan, read));
    const nodes = new Map<Nr, Node>();
    for await (const node of await plan.store.read(async (reader) => reader.scan())) nodes.set(node.nr, node);
    const byUuid = new Map([...nodes.values()].map((node) => [node.uuid, node]));
    const nodeOf = (item: SourceItem): Node | undefined => byUuid.get(derivedUuid(item.key));
    expect(items.flatMap((item) => problemWith(item, nodeOf(item)))).toEqual([]);
    expect(whatIsReady(name, items, nodeOf)).toEqual(expectedReady(name, expected, items, nodeOf));
    const verified = await plan.store.verify();
    expect(verified.differences).toEqual([]);
    for (const read of reads) {
      const again = must(await importRead(plan, read));
      expect(again).toMatchObject({ op: null, added: [], changed: [], kept: [], gone: [] });
    }
    for (const _ of reads) must(await undo(plan));
    expect(await plan.store.read((reader) => reader.items("source", {}))).toEqual([]);
    expect(await plan.store.read((reader) => reader.children(1))).toHaveLength(1);
  });
});

const broken = Object.entries(SPECIAL).flatMap(([name, special]) =>
  Object.entries(special.broken ?? {}).map(([file, start]) => ({ name, file, start })),
);

it.each(broken)("$name is refused as long as $file is broken, with its line", ({ name, file, start }) => {
  const copy = mkdtempSync(join(tmpdir(), "planwright-broken-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(CASES, name), copy, { recursive: true });
  for (const other of broken) if (other.name === name && other.file !== file) rmSync(join(copy, other.file));
  const failed = readIn(copy, name).find((each) => !each.ok);
  expect(failed && mustFail(failed).message.startsWith(`${start}:`)).toBe(true);
});

const OUTCOMES: Readonly<Partial<Record<SourceProgress, string>>> = {
  done: "done",
  dropped: "dropped",
  waived: "waived",
};

function problemWith(item: SourceItem, node: Node | undefined): string[] {
  // A heading without tasks, or something that is no work.
  if (!node) return item.isGroup === true || item.leftOut !== undefined ? [] : [`${item.id} is missing`];
  if (node.approval !== null || node.claim !== null) return [`${item.id} is approved or claimed`];
  if (node.tier !== "task" || node.archive !== null) return [];
  const wanted = OUTCOMES[item.progress];
  return node.outcome?.kind === wanted ? [] : [`${item.id} is ${node.outcome?.kind}, not ${wanted}`];
}

type Find = (item: SourceItem) => Node | undefined;

function comparableItems(name: string, items: readonly SourceItem[], nodeOf: Find): SourceItem[] {
  const groups = new Set(items.flatMap(({ isGroup, key }) => (isGroup === true ? [key] : [])));
  const isTop = ({ parent }: SourceItem): boolean => parent == null || groups.has(parent);
  return items
    .filter((item) => isComparable(item, nodeOf(item)))
    .filter((item) => SPECIAL[name]?.onlyTop !== true || isTop(item));
}

const theirReady = ({ ready }: Expected): readonly string[] | undefined =>
  ready?.correct ?? ready?.ids ?? ready?.proposed;

/** What we find ourselves where the case does not say. */
function expectedReady(name: string, expected: Expected, items: readonly SourceItem[], nodeOf: Find): string[] {
  const theirs = theirReady(expected);
  if (!theirs) return whatIsReady(name, items, nodeOf);
  const all = new Set(comparableItems(name, items, nodeOf).map(({ id }) => id));
  const { more = [], less = [] } = SPECIAL[name]?.ready ?? {};
  return [...theirs.filter((id) => all.has(id) && !less.includes(id)), ...more].sort();
}

const whatIsReady = (name: string, items: readonly SourceItem[], nodeOf: Find): string[] =>
  comparableItems(name, items, nodeOf)
    .filter((item) => isReady(nodeOf(item)))
    .map(({ id }) => id)
    .sort();

/** Containers are never claimed here, and what was under way elsewhere is nobody's here: tools differ in whether they offer it. */
const isComparable = ({ progress }: SourceItem, node: Node | undefined): boolean =>
  node?.tier === "task" && node.kind === "work" && progress !== "active" && progress !== "review";

/** It could be claimed if it was approved. */
const isReady = (node: Node | undefined): boolean =>
  node !== undefined &&
  node.tier === "task" &&
  !isFinished(node) &&
  node.outcome === null &&
  node.archive === null &&
  node.freeze === null &&
  node.acceptance === null &&
  node.pending === 0 &&
  !node.held &&
  !node.shelved;
