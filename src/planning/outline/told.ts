// What a spec tells besides its work, each thing once: an item with what is below it, a row by its columns, the paragraphs
// of a heading together.

import type { Spec, SpecStatement } from "../spec/spec.js";
import type { SectionRole } from "./reading/heading-roles.js";
import { isWithin, type OutlineWork } from "./reading/work.js";
import { headingName, sameWords, shorten, withoutMarks } from "./wording.js";

export interface Told {
  /** The heading, where several paragraphs are one thing. */
  readonly title?: string;
  readonly text: string;
  /** By the name of its column. */
  readonly cells?: ReadonlyMap<string, string>;
}

interface Group {
  readonly key: string;
  readonly places: number[];
}

/** An item and a row are things of their own; other statements belong to the item or the heading that they are below. */
function groupsOf({ statements }: Spec, places: readonly number[]): Group[] {
  const groups: Group[] = [];
  const listed = new Set(
    places.filter((place) => isListed(statements[place])).map((place) => statements[place]?.section),
  );
  for (const place of places) {
    const { parent, section, block, kind } = statements[place] as SpecStatement;
    const top = kind === "item" || kind === "row" ? topOf(statements, place) : undefined;
    const own = listed.has(section) ? `paragraph ${block ?? place}` : `section ${section}`;
    const key = top === undefined && parent === undefined ? own : `item ${top ?? topOf(statements, place)}`;
    const last = groups.at(-1);
    if (last?.key === key) last.places.push(place);
    else groups.push({ key, places: [place] });
  }
  return groups;
}

const isListed = (statement: SpecStatement | undefined): boolean =>
  statement !== undefined && (statement.kind === "item" || statement.kind === "row");

function topOf(statements: readonly SpecStatement[], place: number): number {
  let top = place;
  for (let parent = statements[top]?.parent; parent !== undefined; parent = statements[top]?.parent) top = parent;
  return top;
}

/** `whole`: headings below one of the role are one thing each, whatever is below them. */
export function toldOf(spec: Spec, work: OutlineWork, role: SectionRole, whole = false): Told[] {
  const places = work.noWork.filter((entry) => entry.role === role).map(({ place }) => place);
  const sections = new Set(places.map((place) => spec.statements[place]?.section ?? ""));
  const isBelow = (id: string): boolean =>
    [...sections].some((other) => other !== id && isWithin(id, other)) || hasSiblings(id);
  const hasSiblings = (id: string): boolean => {
    const parent = id.replace(/\.\d+$/, "");
    return id.includes(".") && [...sections].some((other) => other !== id && other.startsWith(`${parent}.`));
  };
  const groups = groupsOf(spec, places);
  const joined: Group[] = [];
  for (const group of groups) {
    const section = spec.statements[group.places[0] as number]?.section ?? "";
    const key = whole && isBelow(section) ? `section ${section}` : group.key;
    const last = joined.at(-1);
    if (last?.key === key) last.places.push(...group.places);
    else joined.push({ key, places: [...group.places] });
  }
  return joined.flatMap(({ key, places: together }) => told(spec, key, together));
}

function told(spec: Spec, key: string, places: readonly number[]): Told[] {
  const statements = places.map((place) => spec.statements[place] as SpecStatement);
  const [first] = statements as [SpecStatement];
  const texts = statements.map(({ text }) => withoutMarks(text)).filter((text) => text !== "" && !text.endsWith(":"));
  if (texts.length === 0) return [];
  const title = headingName(spec.sections.find(({ id }) => id === first.section)?.title ?? "");
  const text = shorten(texts.join(" "), 2_000);
  if (first.cells !== undefined && statements.length === 1) {
    const cells = first.cells.map((cell, at): [string, string] => [
      sameWords(first.columns?.[at] ?? ""),
      withoutMarks(cell),
    ]);
    return [{ text, cells: new Map(cells) }];
  }
  return [key.startsWith("section") && title !== "" ? { title, text } : { text }];
}
