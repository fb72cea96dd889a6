// Reads the initiatives of an edited plan document: titles, bodies, and which features belong to each.

import { idKey, MISSION } from "../../model/node/ids.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { FEATURES_OF } from "./plan-document.js";
import { type NoteChange, nameInHeading, readContainer } from "./read-container.js";
import { type DocumentSection, sectionsBelow } from "./sections.js";
import { unescaped } from "./unescape.js";

export interface ReadInitiatives {
  readonly initiatives: PlanDraft["initiatives"];
  /** Initiatives whose sections are gone. */
  readonly removed: readonly string[];
  /** The parent that each feature has now. */
  readonly parentOf: (feature: PlanDraft["features"][number]) => string | undefined;
}

export function readInitiatives(
  draft: PlanDraft,
  sections: readonly DocumentSection[],
  note: NoteChange,
): ReadInitiatives {
  const known = new Map(draft.initiatives.map((initiative) => [idKey(initiative.id), initiative]));
  const read: PlanDraft["initiatives"] = [];
  const homes = new Map<string, string>();
  for (const section of sectionsBelow(sections, "Initiatives")) {
    const { id, title } = nameInHeading(section.heading);
    const initiative = known.get(idKey(id));
    if (!initiative || section.level !== 3) continue;
    known.delete(idKey(id));
    const at = section.lines.findLastIndex((line) => line.startsWith(FEATURES_OF));
    const listed = at < 0 ? "" : unescaped((section.lines[at] as string).slice(FEATURES_OF.length));
    for (const feature of listed.split(",")) homes.set(idKey(feature.trim()), initiative.id);
    const lines = at < 0 ? section.lines : section.lines.slice(0, at);
    read.push(readContainer(initiative, title, { ...section, lines }, note));
  }
  // A document without its initiatives says nothing about them.
  if (read.length === 0) return { initiatives: draft.initiatives, removed: [], parentOf: ({ parent }) => parent };
  const own = new Set(draft.initiatives.map(({ id }) => idKey(id)));
  return {
    initiatives: read,
    removed: [...known.values()].map(({ id }) => id),
    parentOf: ({ id, parent }) =>
      homes.get(idKey(id)) ?? (parent !== undefined && own.has(idKey(parent)) ? MISSION : parent),
  };
}
