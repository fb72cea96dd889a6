import { WEAK_PROOF } from "../../model/attempt/proof-strength.js";
import { ok, type Result } from "../../model/result.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import type { SpendingBy } from "../insight/spending.js";
import { isTerminal, screen } from "../kit/output.js";
import { spell } from "../kit/spell.js";
import { type Style, widest } from "../kit/style.js";
import { fields, flag, node, optional, type PlanAsker, planVerb, spoken, wholeNumber } from "../kit/verb.js";
import type { After } from "../kit/view.js";
import { harmless, icon, usedWords } from "../kit/wording.js";
import { fitText, isolate, widthOf, wrapParts } from "../text/fit.js";
import { waitingLines } from "../text/render-waiting.js";
import { type StatusTree, type StatusView, status, topDown } from "./read-status.js";

export const input = fields({
  reference: optional(node("only this node and everything below it")),
  depth: optional(wholeNumber("only N levels below the first", 0, 100)),
  all: optional(flag("everything, however large the plan is")),
  most: optional(wholeNumber("at most N children of each node", 1, 1_000_000)),
  archived: optional(flag("also archived nodes")),
  dropped: optional(flag("also dropped nodes")),
});

export const verb = planVerb({
  command: { words: "status", group: "look", daily: 5, bare: true, positional: ["reference"], short: { w: "watch" } },
  summary: "Show the plan as a tree, with progress",
  description:
    "Opens with what waits for you. A plan of up to 200 nodes is shown in full, a larger one down to its features. A node that you name is always shown in full. Archived and dropped nodes are left out unless you ask for them.",
  effect: "reads",
  resource: { address: "plan", summary: "The plan as a tree, with progress" },
  phrases: spoken(
    "status, tree, render, show plan, show the plan, show me the plan, where are we, where we are, " +
      "where do we stand, where we stand, progress, overview, summary, summarize, summarise, state of, how far, " +
      "how far along, how are we doing, how is it going, how … going, how … doing, how … looking, " +
      "how … coming along, how much … done, how much … left, how much is left, how much is done, what is left, " +
      "are we there yet, how … look, how many tasks, how many … left, how many … open, how many … done, " +
      "what is done, what have we done, see … plan, show … plan, print … plan, display … plan, draw … plan, " +
      "look at … plan, plan … look, how are things, big picture, how are we getting on, current state",
  ),
  emptyWords:
    "show me give print display draw tell let see view update report whole full current overall project where we " +
    "stand along it left done summarize summary with over did get going things state have made we've",
  tools: [{ tool: "find", action: "tree", fields: ["reference", "depth"] }],
  input,
  examples: [
    { input: {}, does: "the whole plan, what is ready, and what to do next" },
    { input: { reference: "FEAT-001" }, does: "one feature with its stories and tasks" },
  ],
  run: status,
  flags: { watch: "update the display whenever the plan changes, until Ctrl-C" },
  text: (view, style, given) => (given.has("watch") && isScreen() ? "" : drawn(view, style)),
  note: ({ next }) => (next.length === 0 ? "Everything is finished." : ""),
  next: ({ next }) => next,
  after: async (_, asked) =>
    asked.given.has("watch") && isScreen() && !asked.terminal.json ? watchStatus(asked) : ok(0),
});

const isScreen = (): boolean => isTerminal(1) && screen().isTTY;

const drawn = (view: StatusView, style: Style): string =>
  renderStatus(view, { ...style, columns: (isScreen() && screen().columns) || style.columns });

async function watchStatus({ app, terminal, input }: After): Promise<Result<unknown>> {
  let last: Result<unknown> = ok(undefined);
  await watch(app, terminal.interrupted(), async () => {
    const found = await app.call("status", input);
    last = found;
    if (!found.ok) return false;
    const next = found.value.next.map((each) => `  ${spell(each)}`);
    terminal.print(frame([drawn(found.value, terminal.style), "", ...next].join("\n")));
    return true;
  });
  return last;
}

/** It replaces the one before, and never scrolls. */
function frame(text: string): string {
  const rows = screen().rows || 24;
  const lines = text.split("\n");
  const fitting =
    lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
  return `\u001b[H${fitting.map((line) => `${line}\u001b[K`).join("\n")}\u001b[J`;
}

const BAR = 10;
const GAP = 2;
/** The part of a line that a remark may take from a long title. */
const REMARK_SHARE = 0.4;
const MIN_REMARK = 12;

interface Line {
  readonly branch: string;
  readonly node: StatusTree;
}

export function renderStatus(view: StatusView, style: Style): string {
  const lines = [...flatten(view.tree)];
  const shared = sharedNotes(lines);
  const containers = lines.filter(({ node }) => meterOf(node) !== undefined);
  const meterWidth = BAR + 1 + widest(containers.map(({ node }) => meterOf(node) ?? ""));
  const widthBefore = ({ branch, node }: Line): number => widthOf(`${branch}* ${node.id}  ${titleOf(node)}`);
  const lineWidth = containers.reduce((width, line) => Math.max(width, widthBefore(line)), 0);
  const column = Math.min(lineWidth + GAP, Math.max(0, style.columns - meterWidth));
  const drawn = lines.map((line) => {
    const meter = meterOf(line.node);
    return meter === undefined ? renderTask(line, shared, style) : renderContainer(line, meter, column, style);
  });
  return [
    // What waits for you comes first: everything else goes on without you.
    ...(view.waiting === null || view.waiting.total === 0 ? [] : [...waitingLines(view.waiting, style, true), ""]),
    ...drawn,
    "",
    ...renderCounts(view, style),
    ...renderSpending(view, style),
    ...renderLevel(view, style),
    ...[...shared].map((note) => style.dim(`Engines skip every ready task: ${harmless(note)}.`)),
    ...renderHidden(view, style),
  ].join("\n");
}

const flatten = (roots: readonly StatusTree[]): Iterable<Line> =>
  topDown(
    roots.map((node) => ({ branch: "", under: "", node })),
    ({ under, node }) =>
      node.children.map((child, i, all) => {
        const last = i === all.length - 1;
        return { branch: `${under}${last ? "└─ " : "├─ "}`, under: `${under}${last ? "   " : "│  "}`, node: child };
      }),
  );

const titleOf = ({ title }: StatusTree): string => harmless(title);

function meterOf({ progress }: StatusTree): string | undefined {
  return progress === null || progress.total === 0 ? undefined : `${progress.finished}/${progress.total}`;
}

function bar({ progress }: StatusTree, style: Style): string {
  const { finished, total } = progress ?? { finished: 0, total: 1 };
  // A bar is full only when everything is finished, and empty only when nothing is.
  const filled = finished === 0 ? 0 : Math.max(1, Math.floor((finished / total) * BAR));
  return style.green("█".repeat(filled)) + style.dim("░".repeat(BAR - filled));
}

function renderContainer(line: Line, meter: string, column: number, style: Style): string {
  const { branch, node } = line;
  const room = column - GAP - widthOf(`${branch}* ${node.id}  `);
  const title = fitText(titleOf(node), room);
  const filler = " ".repeat(Math.max(GAP, column - widthOf(`${branch}* ${node.id}  ${title}`)));
  return `${lead(line, style)}${isolate(title)}${filler}${bar(node, style)} ${style.dim(meter)}`;
}

function renderTask(line: Line, shared: ReadonlySet<string>, style: Style): string {
  const { branch, node } = line;
  const mark = markOf(node);
  const room = style.columns - widthOf(`${branch}* ${node.id}  `) - widthOf(mark);
  const [title, remark] = share(titleOf(node), remarkOf(node, shared), room);
  const told = remark === "" ? "" : `${" ".repeat(GAP)}${style.dim(isolate(remark))}`;
  return `${lead(line, style)}${OVER.has(node.status) ? style.dim(isolate(title)) : isolate(title)}${style.cyan(mark)}${told}`;
}

/** A long title leaves some room for the remark, unless that would be too little to say anything. */
function share(title: string, remark: string, room: number): [title: string, remark: string] {
  const [long, wanted] = [widthOf(title), widthOf(remark)];
  const kept = Math.max(room - GAP - wanted, Math.min(long, Math.floor(room * (1 - REMARK_SHARE))));
  const left = room - GAP - Math.min(long, kept);
  if (wanted === 0 || left < Math.min(wanted, MIN_REMARK)) return [fitText(title, room), ""];
  return [fitText(title, kept), fitText(remark, left)];
}

const lead = ({ branch, node }: Line, style: Style): string =>
  `${style.dim(branch)}${icon(node.status, style)} ${style.bold(node.id)}  `;

const OVER: ReadonlySet<string> = new Set(["done", "waived", "dropped", "archived"]);

const markOf = ({ kind }: StatusTree): string => (kind === null || kind === "work" ? "" : ` [${kind}]`);

const REMARKS: Readonly<Partial<Record<StatusTree["reason"], (because: string) => string>>> = {
  "in-flight": (by) => by,
  rejected: (reason) => reason,
  inbox: () => "nothing in the inbox runs",
  unapproved: () => "not approved",
  "approval-unknown": () => "approved with a secret that this plan does not know",
  "approval-stale": () => "changed since it was approved",
  frozen: (reason) => reason,
  "dep-rejected": (ids) => `${ids} was rejected`,
  "dep-dropped": (ids) => `${ids} was dropped`,
  "deps-pending": (ids) => `waits for ${ids}`,
  human: () => "waits for a person",
  conflict: (ids) => `touches what ${ids} touches`,
  budget: () => "no attempts left",
};

function remarkOf(node: StatusTree, shared: ReadonlySet<string>): string {
  const { reason, because, tier } = node;
  if (tier !== "task" && reason === "container") return "";
  if (node.weakProof) return WEAK_PROOF;
  const own = engineNotes(node).filter((note) => !shared.has(note));
  return harmless(
    REMARKS[reason]?.(because.join(", ")) ??
      (own.length === 0 ? "" : `the daemon does not start it: ${own.join("; ")}`),
  );
}

/** What keeps engines from a ready task. That the level is off for everything is how every workspace begins. */
const engineNotes = ({ engineHolds }: StatusTree): string[] =>
  engineHolds.filter(({ reason, because }) => reason !== "level" || because.length > 0).map(phraseOf);

/** Notes that every ready task has: they are said once. */
function sharedNotes(lines: readonly Line[]): ReadonlySet<string> {
  const ready = lines.filter(({ node }) => node.reason === "claimable").map(({ node }) => engineNotes(node));
  const [first = [], ...rest] = ready;
  return new Set(rest.length === 0 ? [] : first.filter((note) => rest.every((notes) => notes.includes(note))));
}

function renderCounts({ counts, waiting }: StatusView, style: Style): string[] {
  const always = [
    `${icon("ready", style)} ${counts.ready} ready`,
    `${icon("in_progress", style)} ${counts.inProgress} in progress`,
    `${icon("blocked", style)} ${counts.blocked} blocked`,
    `${style.yellow("?")} ${waiting?.total ?? counts.waitingForPerson} waiting for you`,
    `${icon("rejected", style)} ${counts.rejected} rejected`,
  ];
  const some = [
    ...(counts.frozen > 0 ? [`${icon("frozen", style)} ${counts.frozen} frozen`] : []),
    ...(counts.planned > 0 ? [`${icon("planned", style)} ${counts.planned} planned`] : []),
    ...(counts.finished > 0 ? [`${icon("done", style)} ${counts.finished} finished`] : []),
  ];
  return wrapParts([...always, ...some], " · ", style.columns);
}

/** As many of each as fit on a line; `stats` lists more. */
const MAX_SPENDERS_SHOWN = 3;

function renderSpending({ spending }: StatusView, style: Style): string[] {
  if (spending === null || (spending.total.tokens === 0 && spending.total.costUsd === 0)) return [];
  const { total, roles, runs, features, days } = spending;
  const each = (list: readonly SpendingBy[]): string[] =>
    list.slice(0, MAX_SPENDERS_SHOWN).map(({ of, ...used }) => `${harmless(of)} ${usedWords(used)}`);
  const by = [...each(roles), ...each(runs), ...each(features), ...each(days.slice(-1))];
  return [style.dim(wrapParts([`Spent ${usedWords(total)}`, ...by], " · ", style.columns).join("\n"))];
}

const MAY: Readonly<Record<NonNullable<StatusView["level"]>, string>> = {
  // The default needs no words.
  off: "",
  on: "the daemon builds what is approved",
  auto: "the daemon builds what is approved, and lands what is green",
};

const UNSANDBOXED = "Workers may run without a sandbox on this machine: you allowed that.".split(" ");

function renderLevel({ level, unconfined, unsandboxed }: StatusView, style: Style): string[] {
  const may = level === null ? "" : MAY[level];
  const despite = unconfined ? `  ${style.yellow("without a sandbox: you allowed that")}` : "";
  if (may !== "") return [`Level ${level}: ${style.dim(may)}${despite}`];
  return unsandboxed ? wrapParts(UNSANDBOXED, " ", style.columns).map((line) => style.yellow(line)) : [];
}

function renderHidden({ hidden }: StatusView, style: Style): string[] {
  const many = (n: number, what: string): string => `${n} ${what} ${n === 1 ? "branch is" : "branches are"} hidden`;
  return [
    ...(hidden.deeper ? ["There is more below: name a node, or use --depth N or --all"] : []),
    ...(hidden.archived > 0 ? [`${many(hidden.archived, "archived")} (--archived)`] : []),
    ...(hidden.dropped > 0 ? [`${many(hidden.dropped, "dropped")} (--dropped)`] : []),
  ].map((line) => style.dim(line));
}

const MIN_GAP_MS = 250;

/** Drawing takes at most a tenth of the time, however large the plan is and however often it changes. */
const GAP_PER_DRAWING = 9;

/** `draw`: one frame; false ends the watch. */
export async function watch(app: Pick<PlanAsker, "changes">, signal: AbortSignal, draw: () => Promise<boolean>) {
  let tookMs = 0;
  const gapMs = (): number => Math.max(MIN_GAP_MS, GAP_PER_DRAWING * tookMs);
  for await (const _ of app.changes({ signal, gapMs })) {
    const start = performance.now();
    if (!(await draw())) return;
    tookMs = performance.now() - start;
  }
}
