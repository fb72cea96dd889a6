// What of a large spec and plan goes into one call: what the call is about stands there whole, the rest as an index,
// and the heading says so. Nothing is left out without a word.

import { estimateTokens } from "../../model/words.js";
import { findingSubject, gravity, isMinor, namedIn } from "../contracts/findings.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";
import { type DraftNode, nodesOf, type PlanDraft } from "../contracts/plan-draft.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import type { Brief, Feedback } from "./brief.js";
import {
  choose,
  json,
  materialTokens,
  type Part,
  readingOf,
  type Selection,
  takeWithin,
  textPart,
} from "./call-budget.js";
import { type ExtraContext, extraContextOf } from "./extra-context.js";

export interface Fitted {
  readonly spec: Part;
  readonly map: Part;
  readonly files: Part;
  readonly draft: Part;
  readonly feedback: readonly Part[];
  readonly materials: readonly Part[];
  readonly extra: ExtraContext;
}

/** How the heading of the plan begins. */
export const DRAFT_PART = "The plan as it stands";

type Subject = Pick<Fitted, "spec" | "map" | "files" | "draft">;

/** Of what is left for the spec and the plan, when both together are too much. */
const SHARES = { draft: 0.5, spec: 0.3, maps: 0.1 } as const;

const FEEDBACK = 0.3;

const ONE_MATERIAL = 0.1;

const MATERIALS = 0.2;

/** Of what is left for the plan: its nodes; what it says of itself; an index of the rest. */
const NODES = 0.5;

const ABOUT = 0.25;

export function fit(brief: Brief): Fitted {
  const room = materialTokens(brief.windowTokens);
  const feedback = brief.feedback.map((said) => feedbackPart(said, (room * FEEDBACK) / brief.feedback.length));
  const each = room * Math.min(ONE_MATERIAL, MATERIALS / brief.materials.length);
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
  // A part of the spec was cut to fit, and its map with it.
  const isParted = part.of > 1 && brief.focus === null;
  const mapped = isParted ? new Set(map ? idsOf(map) : []) : behaviours;
  const quotes = [...tasks.flatMap((task) => task.quotes), ...(map ? quotesOf(map, behaviours) : [])];
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
  return new Set(takeWithin(order, Math.max(tokens * NODES, least), json).map(({ id }) => id));
}

function draftPart(brief: Brief, draft: PlanDraft, shown: ReadonlySet<string>, tokens: number): Part {
  const { part, focus } = brief;
  const all = nodesOf(draft);
  const others = all.filter(({ id }) => !shown.has(id));
  const keep = <T extends { readonly id: string }>(nodes: readonly T[]): T[] => nodes.filter(({ id }) => shown.has(id));
  const reading = `${readingOf("plan")} Of an id it gives that node.`;
  const { about, rest: unsaid } = aboutPlan(draft, shown, tokens * ABOUT, reading);
  const { initiatives, features, stories, tasks } = draft;
  const nodes = {
    initiatives: keep(initiatives),
    features: keep(features),
    stories: keep(stories),
    tasks: keep(tasks),
  };
  const whole = { ...about, ...nodes };
  const listed = takeWithin(
    others,
    Math.max(tokens - estimateTokens(json(whole)), tokens * (1 - NODES - ABOUT)),
    indexLine,
  );
  const judged = focus === null ? "" : ` Judge these now: they are part ${part.number} of ${part.of} of the plan.`;
  const unlisted = others.length - listed.length;
  const rest =
    others.length === 0
      ? ""
      : `\n\nIndex of the ${others.length} others (id, parent, title, files), which are there and not shown whole. ${reading}\n${listed.map(indexLine).join("\n")}${unlisted > 0 ? `\n(and ${unlisted} more that are not even listed)` : ""}`;
  return [
    `${DRAFT_PART}: ${shown.size} of ${all.length} nodes whole, the others as an index only.${judged}`,
    `${json(whole)}${unsaid}${rest}`,
  ];
}

function indexLine(node: DraftNode): string {
  const parent = "feature" in node ? node.feature : "parent" in node ? (node.parent ?? "-") : "-";
  const files = "files" in node ? ` [${node.files.map(({ path }) => path).join(", ")}]` : "";
  return `- ${node.id} (${parent}) ${node.title}${files}`;
}

const idsOf = ({ domains }: CapabilityMap): string[] =>
  domains.flatMap(({ capabilities }) => capabilities.flatMap(({ behaviours }) => behaviours.map(({ id }) => id)));

const quotesOf = ({ domains }: CapabilityMap, ids: ReadonlySet<string>): string[] =>
  domains.flatMap(({ capabilities }) =>
    capabilities.flatMap(({ behaviours }) => behaviours.filter(({ id }) => ids.has(id)).map(({ quote }) => quote)),
  );

/** The sections that the nodes quote come first, then the others in order, while the budget lasts. */
function specPart(spec: Spec, quotes: readonly string[], tokens: number): Part {
  const quoted = new Set(quotes.map((quote) => findQuote(spec, quote)?.section));
  const order = spec.sections.toSorted((a, b) => Number(quoted.has(b.id)) - Number(quoted.has(a.id)));
  const textOf = ({ start, end }: (typeof order)[number]): string => spec.text.slice(start, end);
  const kept = new Set(takeWithin(order, tokens * 0.8, textOf));
  if (kept.size === spec.sections.length) return ["The spec", spec.text];
  const others = spec.sections.filter((section) => !kept.has(section));
  const line = ({ id, title, from, to }: (typeof order)[number]): string => `- ${id} ${title} (lines ${from} to ${to})`;
  const listed = takeWithin(others, tokens * 0.2, line);
  const unlisted = others.length - listed.length;
  const text = spec.sections
    .filter((section) => kept.has(section))
    .map(textOf)
    .join("");
  return [
    `The spec: ${kept.size} of ${spec.sections.length} sections whole, the others as an index only`,
    `${text}\n\nSections that are not shown here. \`look_up\` of an id gives one.\n${listed.map(line).join("\n")}${unlisted > 0 ? `\n(and ${unlisted} more)` : ""}`,
  ];
}

function mapPart(map: CapabilityMap, ids: ReadonlySet<string>, tokens: number): Part {
  const all = map.domains.flatMap(({ capabilities }) => capabilities.flatMap(({ behaviours }) => behaviours));
  const kept = takeWithin(
    all.filter(({ id }) => ids.has(id)),
    tokens,
    json,
  );
  return [
    `Behaviours of the capability map: ${kept.length} of ${all.length}, those of the nodes that are shown whole. ${readingOf("map")}`,
    json(kept),
  ];
}

function filesPart({ behaviours, crossCutting }: FileMap, ids: ReadonlySet<string>, tokens: number): Part {
  const kept = takeWithin(
    behaviours.filter(({ behaviour }) => ids.has(behaviour)),
    tokens,
    json,
  );
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
  const asked = choose({
    items: questions,
    tokens: tokens * ASKED,
    write: json,
    line: (question) => JSON.stringify(question),
    reading,
  });
  const [said, words] = textPart("note", note, tokens, reading);
  const more = findings.length - whole.length;
  const text = json({ findings: whole, questions: asked.whole, ...(note === "" ? {} : { [said]: words }) });
  return [
    `Latest feedback: ${source}${more > 0 ? ` (${whole.length} of ${findings.length} findings whole, the others as an index)` : ""}`,
    [text, rest, asked.rest].filter((piece) => piece !== "").join("\n\n"),
  ];
}

/** Questions, against the findings that they come with. */
const ASKED = 0.2;

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
  for (const node of nodesOf(draft)) {
    const group = groups.get(rooted(node));
    if (group) group.push(node);
    else groups.set(rooted(node), [node]);
  }
  const parts: string[][] = [];
  let left = 0;
  for (const group of groups.values()) {
    for (const node of group) {
      const cost = estimateTokens(json(node));
      if (cost > left || parts.length === 0) {
        parts.push([]);
        left = size;
      }
      parts.at(-1)?.push(node.id);
      left -= cost;
    }
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
): { readonly about: Record<string, unknown>; readonly rest: string } {
  const chosen = {
    goals: choose({ items: goals, tokens: tokens * ABOUT_SHARES.goals, write: json, line: (text) => text, reading }),
    nonGoals: choose({
      items: nonGoals,
      tokens: tokens * ABOUT_SHARES.nonGoals,
      write: json,
      line: (text) => text,
      reading,
    }),
    decisions: choose({
      items: decisions,
      tokens: tokens * ABOUT_SHARES.decisions,
      write: json,
      line: (decision) => `${decision.id} ${decision.title}`,
      reading,
      weight: (decision) => decision.tasks.filter((id) => shown.has(id)).length,
    }),
    risks: choose({
      items: risks,
      tokens: tokens * ABOUT_SHARES.risks,
      write: json,
      line: ({ risk }) => risk,
      reading,
    }),
  };
  const [overviewName, overviewText] = textPart("overview", overview, tokens * ABOUT_SHARES.overview, reading);
  const [rollbackName, rollbackText] = textPart("rollback", rollback, tokens * ABOUT_SHARES.rollback, reading);
  const lists = Object.entries<Selection<unknown>>(chosen);
  const indexes = lists.filter(([, { rest }]) => rest !== "").map(([name, { rest }]) => `\n\n${name}: ${rest}`);
  const about = {
    title,
    [overviewName]: overviewText,
    ...Object.fromEntries(lists.map(([name, { whole }]) => [name, whole])),
    [rollbackName]: rollbackText,
  };
  return { about, rest: indexes.join("") };
}
