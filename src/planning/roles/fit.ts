// What of a large spec and plan goes into one call: what the call is about stands there whole, the rest as an index,
// and the heading says so. Nothing is left out without a word.

import { append } from "../../base/append.js";
import { estimateTokens } from "../../model/words.js";
import { type Feedback, findingSubject, gravity, isMinor, namedIn } from "../contracts/findings.js";
import { behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import { type DraftNode, keepNodes, nodesOf, type PlanDraft, parentOf } from "../contracts/plan-draft.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import type { Brief } from "./brief.js";
import {
  choose,
  indexOf,
  json,
  materialTokens,
  type Part,
  readingOf,
  type Selection,
  takeWithin,
  textPart,
} from "./call-budget.js";
import { extraContextOf } from "./extra-context.js";

export type CallContents = ReturnType<typeof fit>;

export const DRAFT_PART = "The plan as it stands";

type Subject = Readonly<Record<"spec" | "map" | "files" | "draft", Part>>;

/** Shares of what is left for the spec and the plan, when both together are too much. */
const SHARES = { draft: 0.5, spec: 0.3, maps: 0.1 } as const;
const FEEDBACK_SHARE = 0.3;
const ONE_MATERIAL_SHARE = 0.1;
const MATERIALS_SHARE = 0.2;
/** Shares of what is left for the plan: its nodes, and what it says of itself. An index of the others gets the rest. */
const NODES_SHARE = 0.5;
const ABOUT_SHARE = 0.25;

export function fit(brief: Brief) {
  const room = materialTokens(brief.windowTokens);
  const feedback = brief.feedback.map((said) => feedbackPart(said, (room * FEEDBACK_SHARE) / brief.feedback.length));
  const each = room * Math.min(ONE_MATERIAL_SHARE, MATERIALS_SHARE / brief.materials.length);
  const materials = brief.materials.map(({ name, text }) => textPart(name, text, each, readingOf(name)));
  const extra = extraContextOf(brief, room);
  const around = [...feedback, ...materials, ...Object.values<Part>({ ...extra })];
  const used = estimateTokens(around.map(([, text]) => text ?? "").join("\n"));
  const left = Math.max(room - used, room / 4);
  const whole: Subject = {
    spec: [specName(brief), brief.spec.text],
    map: ["Capability map", brief.map && json(brief.map)],
    files: ["File map", brief.files && json(brief.files)],
    draft: [DRAFT_PART, brief.draft && json(brief.draft)],
  };
  const texts = [whole.spec, whole.map, whole.files, whole.draft].map(([, text]) => text ?? "");
  const fits = brief.focus === null && estimateTokens(texts.join("\n")) <= left;
  return { ...(fits ? whole : reduced(brief, whole, left)), feedback, materials, extra };
}

const specName = ({ part, focus }: Brief): string =>
  part.of > 1 && focus === null ? `The spec, part ${part.number} of ${part.of}: work on this part only` : "The spec";

function reduced(brief: Brief, whole: Subject, room: number): Subject {
  const { draft, map, files, spec, part } = brief;
  const shown = draft ? chooseNodes(brief, draft, room * SHARES.draft) : new Set<string>();
  const tasks = (draft?.tasks ?? []).filter(({ id }) => shown.has(id));
  const behaviours = new Set(tasks.flatMap((task) => task.behaviours));
  const all = map ? behavioursOf(map) : [];
  // A part of the spec was cut to fit, and its map with it.
  const isParted = part.of > 1 && brief.focus === null;
  const mapped = isParted ? new Set(all.map(({ id }) => id)) : behaviours;
  const asked = all.filter(({ id }) => behaviours.has(id)).map(({ quote }) => quote);
  const quotes = [...tasks.flatMap((task) => task.quotes), ...asked];
  return {
    spec: isParted ? whole.spec : specPart(spec, quotes, room * SHARES.spec),
    map: isParted || !map ? whole.map : mapPart(map, mapped, room * SHARES.maps),
    files: files ? filesPart(files, mapped, room * SHARES.maps) : whole.files,
    draft: draft ? draftPart(brief, draft, shown, room * SHARES.draft) : whole.draft,
  };
}

/** Which nodes stand there whole: what the call is about, then what that builds on; for a judge the others too. */
function chooseNodes(brief: Brief, draft: PlanDraft, tokens: number): Set<string> {
  const isWriting = brief.role === "author" && !brief.revise;
  if (isWriting) return new Set();
  const findings = brief.feedback.flatMap((said) => said.findings);
  const meant = new Set(brief.focus ?? findings.filter((finding) => !isMinor(finding)).flatMap(namedIn));
  const bases = draft.tasks.filter(({ id }) => meant.has(id)).flatMap((task) => [task.parent, ...task.dependsOn]);
  const near = new Set(bases);
  const rank = ({ id }: DraftNode): number => (meant.has(id) ? 0 : near.has(id) ? 1 : 2);
  // A reviser needs an index of everything more than whole nodes without findings.
  const eligible = nodesOf(draft).filter((node) => brief.role !== "author" || rank(node) < 2);
  const order = eligible.toSorted((a, b) => rank(a) - rank(b));
  // A part that is judged was cut to this size, and stands there whole, however much else there is.
  const least = brief.focus === null ? 0 : partSize(brief.windowTokens) * 1.1;
  return new Set(takeWithin(order, Math.max(tokens * NODES_SHARE, least), json).map(({ id }) => id));
}

function draftPart(brief: Brief, draft: PlanDraft, shown: ReadonlySet<string>, tokens: number): Part {
  const { part, focus } = brief;
  const all = nodesOf(draft);
  const others = all.filter(({ id }) => !shown.has(id));
  const reading = `${readingOf("plan")} Of an id it gives that node.`;
  const { about, rest: unsaid } = aboutPlan(draft, shown, tokens * ABOUT_SHARE, reading);
  const whole = { ...about, ...keepNodes(draft, ({ id }) => shown.has(id)) };
  const left = Math.max(tokens - estimateTokens(json(whole)), tokens * (1 - NODES_SHARE - ABOUT_SHARE));
  const index = [
    `Index of the ${others.length} others (id, parent, title, files), which are there and not shown whole. ${reading}`,
    ...indexOf(others, left, indexLine),
  ];
  const judged = focus === null ? "" : ` Judge these now: they are part ${part.number} of ${part.of} of the plan.`;
  return [
    `${DRAFT_PART}: ${shown.size} of ${all.length} nodes whole, the others as an index only.${judged}`,
    `${json(whole)}${unsaid}${others.length === 0 ? "" : `\n\n${index.join("\n")}`}`,
  ];
}

function indexLine(node: DraftNode): string {
  const files = "files" in node ? ` [${node.files.map(({ path }) => path).join(", ")}]` : "";
  return `- ${node.id} (${parentOf(node) ?? "-"}) ${node.title}${files}`;
}

/** The sections that the nodes quote come first, then the others in order, while the budget lasts. */
function specPart(spec: Spec, quotes: readonly string[], tokens: number): Part {
  const quoted = new Set(quotes.map((quote) => findQuote(spec, quote)?.section));
  const order = spec.sections.toSorted((a, b) => Number(quoted.has(b.id)) - Number(quoted.has(a.id)));
  const textOf = ({ start, end }: (typeof order)[number]): string => spec.text.slice(start, end);
  const kept = new Set(takeWithin(order, tokens * 0.8, textOf));
  if (kept.size === spec.sections.length) return ["The spec", spec.text];
  const others = spec.sections.filter((section) => !kept.has(section));
  const line = ({ id, title, from, to }: (typeof order)[number]): string => `- ${id} ${title} (lines ${from} to ${to})`;
  const shown = spec.sections.filter((section) => kept.has(section));
  const index = indexOf(others, tokens * 0.2, line).join("\n");
  return [
    `The spec: ${kept.size} of ${spec.sections.length} sections whole, the others as an index only`,
    `${shown.map(textOf).join("")}\n\nSections that are not shown here. \`look_up\` of an id gives one.\n${index}`,
  ];
}

function mapPart(map: CapabilityMap, ids: ReadonlySet<string>, tokens: number): Part {
  const all = behavioursOf(map);
  const meant = all.filter(({ id }) => ids.has(id));
  const kept = takeWithin(meant, tokens, json);
  return [
    `Behaviours of the capability map: ${kept.length} of ${all.length}, those of the nodes that are shown whole. ${readingOf("map")}`,
    json(kept),
  ];
}

function filesPart({ behaviours, crossCutting }: FileMap, ids: ReadonlySet<string>, tokens: number): Part {
  const meant = behaviours.filter(({ behaviour }) => ids.has(behaviour));
  const kept = takeWithin(meant, tokens, json);
  const shared = takeWithin(crossCutting, tokens / 4, json);
  return [
    `File map: ${kept.length} of ${behaviours.length} behaviours, ${shared.length} of ${crossCutting.length} shared files. ${readingOf("files")}`,
    json({ behaviours: kept, crossCutting: shared }),
  ];
}

function feedbackPart({ source, findings, questions, note }: Feedback, tokens: number): Part {
  const reading = readingOf(`feedback ${source}`);
  const { whole, rest } = choose({
    items: findings,
    tokens,
    write: json,
    line: findingSubject,
    reading: `They come in a later round, if they are still there. ${reading}`,
    weight: (finding) => (isMinor(finding) ? 0 : gravity(finding)),
  });
  const line = (question: (typeof questions)[number]): string => JSON.stringify(question);
  const asked = choose({ items: questions, tokens: tokens * QUESTIONS_SHARE, write: json, line, reading });
  const [said, words] = textPart("note", note, tokens, reading);
  const more = findings.length - whole.length;
  const text = json({ findings: whole, questions: asked.whole, ...(note === "" ? {} : { [said]: words }) });
  return [
    `Latest feedback: ${source}${more > 0 ? ` (${whole.length} of ${findings.length} findings whole, the others as an index)` : ""}`,
    [text, rest, asked.rest].filter((piece) => piece !== "").join("\n\n"),
  ];
}

/** Questions, against the findings that they come with. */
const QUESTIONS_SHARE = 0.2;

/** Less than the budget of a part, because a part is sent with what it builds on. */
const partSize = (windowTokens: number): number => materialTokens(windowTokens) * SHARES.draft * 0.5;

/** The plan in parts that one judge can read whole, feature by feature; one part if it fits as it is. */
export function partsToJudge(draft: PlanDraft, spec: Spec, windowTokens: number): string[][] {
  const room = materialTokens(windowTokens);
  if (estimateTokens(`${spec.text}\n${json(draft)}`) <= room) return [nodesOf(draft).map(({ id }) => id)];
  const size = partSize(windowTokens);
  const featureOf = new Map(draft.stories.map(({ id, feature }) => [id, feature]));
  const rooted = (node: DraftNode): string =>
    "feature" in node ? node.feature : "files" in node ? (featureOf.get(node.parent) ?? node.parent) : node.id;
  const groups = new Map<string, DraftNode[]>();
  for (const node of nodesOf(draft)) append(groups, rooted(node), node);
  const parts: string[][] = [];
  let left = 0;
  for (const node of [...groups.values()].flat()) {
    const cost = estimateTokens(json(node));
    if (cost > left || parts.length === 0) {
      parts.push([]);
      left = size;
    }
    parts.at(-1)?.push(node.id);
    left -= cost;
  }
  return parts;
}

/** Shares of the budget of a call. */
const ABOUT_SHARES = { overview: 0.2, rollback: 0.1, goals: 0.1, nonGoals: 0.1, decisions: 0.3, risks: 0.2 } as const;

/** What a plan says of itself, within its share of a call: decisions about the tasks that are shown come first. */
function aboutPlan(
  { title, overview, rollback, goals, nonGoals, decisions, risks }: PlanDraft,
  shown: ReadonlySet<string>,
  tokens: number,
  reading: string,
) {
  const list = <T>(
    of: keyof typeof ABOUT_SHARES,
    items: readonly T[],
    line: (item: T) => string,
    weight: (item: T) => number = () => 0,
  ): Selection<T> => choose({ items, tokens: tokens * ABOUT_SHARES[of], write: json, line, reading, weight });
  const chosen = {
    goals: list("goals", goals, (text) => text),
    nonGoals: list("nonGoals", nonGoals, (text) => text),
    decisions: list(
      "decisions",
      decisions,
      ({ id, title }) => `${id} ${title}`,
      (decision) => decision.tasks.filter((id) => shown.has(id)).length,
    ),
    risks: list("risks", risks, ({ risk }) => risk),
  };
  const lists = Object.entries<Selection<unknown>>(chosen);
  const indexes = lists.filter(([, { rest }]) => rest !== "").map(([name, { rest }]) => `\n\n${name}: ${rest}`);
  const about = [
    ["title", title],
    textPart("overview", overview, tokens * ABOUT_SHARES.overview, reading),
    ...lists.map(([name, { whole }]) => [name, whole]),
    textPart("rollback", rollback, tokens * ABOUT_SHARES.rollback, reading),
  ];
  return { about: Object.fromEntries(about) as Record<string, unknown>, rest: indexes.join("") };
}
