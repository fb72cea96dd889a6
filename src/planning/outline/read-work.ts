// The work in a spec, read once for each spec.

import type { Spec } from "../spec/spec.js";
import { type SectionRole, sectionRoles, titleSection } from "./section-roles.js";
import { itemsOf, type OutlineWork } from "./work.js";
import { WorkReader } from "./work-reader.js";

/** Where a spec asks for nothing under a heading of work, these are taken as work, the first that give any. */
const TAKEN_AS_WORK: readonly (readonly SectionRole[])[] = [
  [],
  ["acceptance", "design"],
  ["goals"],
  ["overview"],
  [
    "constraints",
    "decisions",
    "assumptions",
    "risks",
    "glossary",
    "references",
    "rollback",
    "testing",
    "questions",
    "nonGoals",
  ],
];

function readWork(spec: Spec): OutlineWork {
  const roles = sectionRoles(spec);
  const anythingDone = spec.statements.some(({ done }) => done);
  const taken = new Set<SectionRole>();
  let reader = new WorkReader(spec, roles, false);
  for (const more of TAKEN_AS_WORK) {
    for (const role of more) taken.add(role);
    const effective = new Map([...roles].map(([id, role]) => [id, taken.has(role) ? "work" : role]));
    reader = new WorkReader(spec, effective, taken.has("overview"));
    reader.read();
    if (anythingDone || itemsOf(reader).length > 0) break;
  }
  const { domains, noWork, bareHeadings, context, sharedChecks } = reader;
  const title = spec.title ?? titleSection(spec)?.title;
  return { title, domains, noWork, bareHeadings, context, sharedChecks };
}

const known = new WeakMap<Spec, OutlineWork>();

export function workOf(spec: Spec): OutlineWork {
  const work = known.get(spec) ?? readWork(spec);
  known.set(spec, work);
  return work;
}
