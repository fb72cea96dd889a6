// The work in a spec, read once for each spec.

import { isAboutDocument, plainWords } from "../../spec/cues.js";
import type { Spec } from "../../spec/spec.js";
import { featuresOf } from "./features.js";
import { headingRole, type SectionRole } from "./heading-roles.js";
import { sectionRoles, titleSection } from "./section-roles.js";
import { SpecIndex } from "./spec-index.js";
import { itemsOf, type OutlineWork } from "./work.js";
import { WorkReader } from "./work-reader.js";

interface Fallback {
  readonly roles: readonly SectionRole[];
  readonly takesProse: boolean;
}

/** Where a spec asks for nothing under a heading of work, these are taken as work, the first that give any. What the spec
 *  itself leaves out, finished or asks is never among them. */
const FALLBACKS: readonly Fallback[] = [
  { roles: [], takesProse: false },
  { roles: ["acceptance", "design", "decisions"], takesProse: false },
  { roles: ["goals", "process"], takesProse: false },
  { roles: ["overview", "constraints", "users", "testing"], takesProse: true },
];

/** "Requirements document" names any: the heading next to it tells which. */
function headingOf(spec: Spec): string | undefined {
  const title = titleSection(spec);
  const name = title?.title.replace(/^[\w-]+\.md\s*[–—:-]\s*/, "");
  if (title === undefined || name === undefined || !ANY_DOCUMENT.test(name)) return name;
  const next = spec.sections.find(({ id }) => id === `${title.id}.1`);
  const own = spec.statements.filter(({ section }) => section === next?.id);
  const isName =
    next !== undefined && headingRole(next.title) === undefined && own.every(({ text }) => isAboutDocument(text));
  return namedIn(spec) ?? (isName ? next.title : name);
}

const ANY_DOCUMENT = /^(?:\w+ ){0,2}(?:requirements?|specification|design) (?:document|specification)$/i;

/** "**App name:** Nutrily", among the first lines. */
const namedIn = ({ statements }: Spec): string | undefined =>
  statements
    .slice(0, 6)
    .map(
      ({ text }) =>
        /^(?:app|project|product|tool|feature)(?: name| title)?(?: \([^)]*\))?:\s*(\S.{1,80})$/i.exec(
          plainWords(text),
        )?.[1],
    )
    .find((name) => name !== undefined);

function readWork(spec: Spec): OutlineWork {
  const { roles, sure, closed, isChecklist } = sectionRoles(spec);
  const index = new SpecIndex(spec);
  const anythingDone = spec.statements.some(({ done }) => done);
  const taken = new Set<SectionRole>();
  let reader: WorkReader | undefined;
  for (const { roles: more, takesProse } of FALLBACKS) {
    for (const role of more) taken.add(role);
    const effective = new Map([...roles].map(([id, role]) => [id, taken.has(role) ? "work" : role]));
    reader = new WorkReader(index, { roles: effective, sure, closed, isChecklist, takesProse });
    reader.read();
    if (anythingDone || itemsOf(reader).length > 0) break;
  }
  const { domains, noWork, openWork, bareHeadings, context, sharedChecks } = reader as WorkReader;
  // Notes often begin with a line that names the meeting.
  const isNamed = noWork.some(
    ({ place, role }) => place === 0 && role === "document" && !/:/.test(spec.statements[0]?.text ?? ":"),
  );
  const title = spec.title ?? headingOf(spec) ?? (isNamed ? spec.statements[0]?.text : namedIn(spec));
  return { title, domains: featuresOf(domains, index), noWork, openWork, bareHeadings, context, sharedChecks };
}

const known = new WeakMap<Spec, OutlineWork>();

export function workOf(spec: Spec): OutlineWork {
  const work = known.get(spec) ?? readWork(spec);
  known.set(spec, work);
  return work;
}
