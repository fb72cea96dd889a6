// Writes a conflict down inside an operation, together with its effect on the graph: an edge from the one that waits to
// the one that goes first, a freeze, or a question for a person.

import {
  type Clash,
  type Conflict,
  freezeReason,
  placesOf,
  waitsForEdge,
  withConflictEdge,
} from "../../model/conflict/conflict.js";
import { changeItem, createItem, type Item } from "../../model/item/item.js";
import type { Option } from "../../model/item/question.js";
import { itemKey } from "../../model/item-key.js";
import type { Node, Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { type Award, arbitrate, type Dispute } from "../../model/rules/arbitrate.js";
import { freezePatch } from "../../model/rules/freeze.js";
import type { Reader, Writer } from "../../store/store.js";
import { type NewQuestion, raise } from "../question/raise.js";
import type { Maker } from "../record/save-record.js";

export interface Recorder extends Maker {
  /** The commit that is checked out: a thaw looks at what changed since. */
  readonly commit: string | null;
}

/** A person decides about a task that conflicts more often than this. */
const CONFLICTS_OF_ONE = 20;

/** `key`: null if there was nothing to write down. */
export async function recordConflict(writer: Writer, clash: Clash, maker: Recorder) {
  const earlier = await conflictsBetween(writer, clash.first, clash.second);
  const award = await awardFor(writer, clash, earlier);
  const asked = award.arbitration === "escalate" ? await askedAbout(writer, clash) : undefined;
  if (!asked) return save(writer, clash, award, earlier, maker);
  // One question for one cause: this task waits for the one that you are asked about already.
  const behind: Clash = { ...clash, first: asked };
  const waits: Award = { arbitration: "serialise", why: `you are asked about ${asked.id} and the same files already` };
  return save(writer, behind, waits, await conflictsBetween(writer, asked, clash.second), maker);
}

async function save(writer: Writer, clash: Clash, award: Award, earlier: readonly Item<"conflict">[], maker: Recorder) {
  const open = earlier.find(({ fields }) => fields.state === "open");
  if (award.arbitration === "none" || (open && isKept(open, clash))) {
    return { ...award, key: open?.key ?? null, sentence: "", changes: [] };
  }
  const key = open?.key ?? itemKey("CONFLICT", await writer.number("CONFLICT"));
  // What goes on from finished work waits for nothing: it is written down, so that the same again is noticed.
  const over = clash.first.outcome?.kind === "done" && award.arbitration === "serialise";
  const fields = conflictOf(clash, award, maker, over, open?.fields);
  const item = open ? changeItem(open, fields) : [createItem("conflict", key, fields)];
  const effect = over ? [] : await effectOf(writer, key, clash, award, maker);
  const { first, second, ...places } = clash;
  const overlap = `${second.id} and ${first.id} overlap in ${placesOf(places)}`;
  const sentence = `${key}: ${overlap} (${award.arbitration}): ${award.why}`;
  return { ...award, key, sentence, changes: [...item, ...effect] };
}

/** The other task of an open question about a conflict in the same files, if this one can wait for it. */
async function askedAbout(writer: Writer, { second, ...clash }: Clash): Promise<Node | undefined> {
  const open = await writer.items("conflict", { state: "open" });
  for (const { fields } of open) {
    if (fields.arbitration !== "escalate" || fields.second === second.nr) continue;
    if (placesOf(fields) !== placesOf(clash)) continue;
    const asked = await writer.node(fields.second);
    if (asked && asked.outcome === null && (await mayWait(writer, second, asked))) return asked;
  }
  return undefined;
}

/** Every conflict that the two ever had, oldest first. */
export async function conflictsBetween(reader: Reader, a: Node, b: Node): Promise<Item<"conflict">[]> {
  const between = async (first: Node, second: Node): Promise<Item<"conflict">[]> =>
    (await reader.items("conflict", { owner: String(second.nr) })).filter(({ fields }) => fields.first === first.nr);
  const found = [...(await between(a, b)), ...(await between(b, a))];
  return found.sort((x, y) => x.fields.detectedAt - y.fields.detectedAt);
}

/** The earlier decision still has its effect: the edge or the freeze is still there. */
const isKept = ({ fields }: Item<"conflict">, { first, second }: Clash): boolean => {
  const later = fields.second === second.nr ? second : first;
  return later.freeze !== null || waitsForEdge(later, fields.first);
};

async function awardFor(writer: Writer, clash: Clash, earlier: readonly Item<"conflict">[]): Promise<Award> {
  const { layer, first, second } = clash;
  const dispute: Dispute = {
    layer,
    firstState: stateOf(first),
    // An overlap of footprints may be in the way. One that a merge found is.
    diffOverlap: layer === "merge" || touchedSince(first, clash.files),
    orderFree: await mayWait(writer, second, first),
    budgetLeft: (await writer.items("conflict", { owner: String(second.nr) })).length < CONFLICTS_OF_ONE,
    sameBefore: 0,
  };
  const guess = arbitrate(dispute);
  const same = earlier.filter(({ fields }) => fields.arbitration === guess.arbitration && fields.state === "settled");
  return arbitrate({ ...dispute, sameBefore: same.length });
}

const stateOf = ({ outcome, claim }: Node): Dispute["firstState"] =>
  outcome !== null ? "done" : claim !== null ? "working" : "waiting";

/** Whether work that is done really changed what was in both footprints. */
const touchedSince = ({ report }: Node, files: readonly string[]): boolean =>
  report !== null && files.some((file) => report.created.includes(file) || report.modified.includes(file));

/** An edge into another feature waits for its landing, so for all that is in it. */
async function mayWait(reader: Reader, node: Node, on: Node): Promise<boolean> {
  if (waitsForEdge(node, on.nr)) return true;
  const ends: Nr[] = on.feature === null || on.feature === node.feature ? [on.nr] : [on.nr, on.feature];
  return (await reader.path(ends, [node.nr])) === undefined;
}

function conflictOf(
  { layer, first, second, files, symbols }: Clash,
  { arbitration, why }: Award,
  { by, at }: Maker,
  over: boolean,
  known: Conflict | undefined,
): Conflict {
  return {
    layer,
    state: over ? "settled" : "open",
    first: first.nr,
    second: second.nr,
    files,
    symbols,
    arbitration,
    resolution: over ? why : null,
    detectedAt: known?.detectedAt ?? at,
    detectedBy: known?.detectedBy ?? by,
    settledAt: over ? at : null,
    settledBy: over ? by : null,
    steps: [...(known?.steps ?? []), { at, by, what: `${arbitration}: ${why}` }],
  };
}

async function effectOf(
  writer: Writer,
  key: string,
  { first, second, ...clash }: Clash,
  { arbitration, why }: Award,
  maker: Recorder,
): Promise<Change[]> {
  if (arbitration !== "freeze" && arbitration !== "escalate") {
    return changeNode(second, { dependsOn: withConflictEdge(second.dependsOn, first.nr) });
  }
  const stop = stopFor(key, second, `it overlaps with ${first.id} in ${placesOf(clash)}`, maker);
  if (arbitration === "freeze") return stop;
  return [...stop, ...(await askAbout(writer, key, { first, second, ...clash }, why, maker))];
}

/** A conflict never stops work in progress; only a person does. */
function stopFor(key: string, node: Node, why: string, { by, at, commit }: Recorder): Change[] {
  if (node.outcome !== null || node.claim !== null || node.freeze !== null) return [];
  return changeNode(node, freezePatch(node.nr, { reason: freezeReason(key, why), by, at, commit }));
}

export async function askAbout(
  writer: Writer,
  key: string,
  { first, second, ...clash }: Clash,
  why: string,
  maker: Maker,
): Promise<readonly Change[]> {
  const asked: NewQuestion = {
    kind: "conflict",
    question: `${second.id} "${second.title}" and ${first.id} "${first.title}" conflict. Which goes first?`,
    context: `${placesOf(clash)}: ${why}. This is ${key}.`,
    owner: key,
    blocks: [second.id],
    recommended: "sequential",
    options: choicesFor(first, second),
  };
  return (await raise(writer, asked, maker)).changes;
}

const choicesFor = (first: Node, second: Node): Option[] => [
  { id: "sequential", label: `${first.id} first, then ${second.id}`, detail: "Both as they are planned." },
  { id: "accept-proposed", label: `${second.id} as it is planned`, detail: `${first.id} ${WAITS}` },
  { id: "accept-blocker", label: `${first.id} as it is planned`, detail: `${second.id} ${WAITS}` },
  { id: "freeze-both", label: "Freeze both", detail: "Both wait until you decide." },
];

const WAITS = "waits for it, and has to be approved again.";
