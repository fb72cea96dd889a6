// What a section of a spec is for, by its heading. Only work becomes tasks; the rest tells a person, or the worker, about
// it. The words stand here and nowhere else.

import { statedRequirements } from "../spec/requirement-ids.js";
import type { Section, Spec } from "../spec/spec.js";
import { headingName, sameWords } from "./wording.js";

export type SectionRole =
  | "work"
  | "testing"
  | "acceptance"
  | "overview"
  | "goals"
  | "nonGoals"
  | "risks"
  | "questions"
  | "assumptions"
  | "constraints"
  | "decisions"
  | "design"
  | "glossary"
  | "references"
  | "rollback";

/** In the form of `sameWords`. */
const WORDS: Readonly<Record<SectionRole, string>> = {
  work: "requirements|functional requirements|non functional requirements|nonfunctional requirements|features|user stories|stories|specification|tasks|todo|to do|todos|work|work items|implementation|deliverables|scope|in scope|detailed design|proposal|commands|behaviour|behavior|functionality|use cases|must have|should have|mvp|changes|backlog",
  testing:
    "testing|tests|test plan|test strategy|testing strategy|verification|verifying|validation|how to test|how to verify|quality gates|quality assurance|qa|checks|continuous integration|ci|running tests|running the tests",
  acceptance:
    "acceptance|acceptance criteria|acceptance tests|definition of done|done when|done criteria|exit criteria|success criteria|completion criteria",
  overview:
    "overview|introduction|intro|summary|executive summary|abstract|tl dr|tldr|description|about|purpose|motivation|background|context|problem|problem statement|the problem|rationale|why|status|current state|current situation|history|preface|vision|idea|status of this memo|document status|at a glance",
  goals: "goals|goal|objectives|objective|aims|success metrics|metrics of success|outcomes|key results",
  nonGoals:
    "non goals|nongoals|non goal|out of scope|not in scope|exclusions|excluded|what this is not|future work|future|future ideas|later|wont do|won t do|will not do|not now|anti goals|deferred|nice to have|nice to haves|ideas for later|possible extensions|won t have|wont have|limitations|known limitations",
  risks:
    "risks|risk|risks and mitigations|risks and mitigation|risk assessment|concerns|drawbacks|known issues|threats|trade offs|tradeoffs",
  questions:
    "open questions|open question|questions|unresolved questions|unresolved|open issues|open points|to be decided|tbd|to be discussed|undecided|decisions needed|outstanding questions",
  assumptions: "assumptions|assumption|preconditions|premises",
  constraints:
    "constraints|constraint|technical constraints|design constraints|tech stack|technology stack|technology|technologies|stack|guidelines|coding guidelines|conventions|coding conventions|principles|design principles|ground rules|global rules|environment|supported platforms",
  decisions:
    "decisions|key decisions|design decisions|decision log|decision|architecture decisions|technical decisions",
  design:
    "architecture|system architecture|architecture overview|high level design|high level architecture|system overview|project structure|directory structure|repository layout|folder structure",
  glossary:
    "glossary|terminology|definitions|terms|vocabulary|notation|requirements language|requirement levels|key words|keywords|personas|users|user personas|target users|audience|target audience|stakeholders|abbreviations|acronyms|conventions and definitions|roles",
  references:
    "references|reference|see also|links|further reading|bibliography|acknowledgements|acknowledgments|authors|author|authors addresses|changelog|change log|revision history|document history|version history|license|licence|contributors|related work|related|prior art|alternatives|alternatives considered|rejected alternatives|normative references|informative references|appendix|contents|table of contents|toc|resources|notes|note|examples|example|faq|contact|timeline|schedule|budget|team",
  rollback: "rollback|roll back|rollback plan|backout|back out|backout plan|reverting|how to revert",
};

const ROLES: ReadonlyMap<string, SectionRole> = new Map(
  (Object.entries(WORDS) as [SectionRole, string][]).flatMap(([role, words]) =>
    words.split("|").map((word): [string, SectionRole] => [word, role]),
  ),
);

const SEQUENCE =
  /^(?:(?:implementation|build|delivery|migration|rollout|release|execution|project|work) )?(?:steps?|phases?|milestones?|plan|roadmap|order|sequence|stages|procedure|workflow)$/;

/** Under such a heading a list is done from first to last. */
export const isSequenceTitle = (title: string): boolean => SEQUENCE.test(sameWords(headingName(title)));

/** What the words of a heading, or of a line that leads into a list, say by themselves. */
export function roleOfTitle(title: string): SectionRole | undefined {
  const words = sameWords(headingName(title)).replace(/^(?:the|our|project|product|key|main|proposed) /, "");
  const known = ROLES.get(words) ?? (/^appendix\b/.test(words) ? "references" : undefined);
  if (known !== undefined) return known;
  const parts = words.split(/ and | or /);
  if (parts.length < 2) return undefined;
  const roles = new Set(parts.map((part) => ROLES.get(part)));
  const [first] = roles;
  return roles.size === 1 ? first : roles.has(undefined) ? undefined : "overview";
}

/** The heading that names the whole spec: the first, if no other is of its level or higher. */
export function titleSection({ sections }: Spec): Section | undefined {
  const headings = sections.filter(({ level }) => level > 0);
  const [first] = headings;
  if (first === undefined || first.requirements.length > 0 || roleOfTitle(first.title) !== undefined) return undefined;
  return headings.every((section) => section === first || section.level > first.level) ? first : undefined;
}

/** By id. A section without a role of its own has the one of the section that it is in. */
export function sectionRoles(spec: Spec): Map<string, SectionRole> {
  const title = titleSection(spec);
  const roles = new Map<string, SectionRole>();
  for (const section of spec.sections) {
    const above = section.id.includes(".") ? roles.get(section.id.replace(/\.\d+$/, "")) : undefined;
    const inherited = above === undefined || above === "acceptance" ? "work" : above;
    const own = section === title || section.level === 0 ? "work" : roleOfTitle(section.title);
    // A requirement is work wherever it stands, unless the spec itself leaves it out.
    const isRequirement = inherited !== "nonGoals" && statedRequirements(section.title).length > 0;
    roles.set(section.id, own ?? (isRequirement ? "work" : inherited));
  }
  return roles;
}

/** Why the words of such a section are no task. */
export const LEFT_OUT: Readonly<Record<Exclude<SectionRole, "work">, string>> = {
  testing: "Says how to check the work: its commands are the checks of the tasks.",
  acceptance: "Says when the work is done.",
  overview: "Describes the whole: it is in the overview of the plan.",
  goals: "A goal: it is listed among the goals of the plan.",
  nonGoals: "The spec itself leaves it out: it is listed among the non-goals of the plan.",
  risks: "A risk: it is listed among the risks of the plan.",
  questions: "An open question: it asks for an answer, not for work.",
  assumptions: "An assumption: it is recorded, nothing is built for it.",
  constraints: "Holds for every task: it is in their bodies.",
  decisions: "A decision that was taken: it is listed among the decisions of the plan.",
  design: "Describes the design: the work for it is asked for elsewhere in the spec.",
  glossary: "Explains words.",
  references: "Background for readers: asks for no work.",
  rollback: "Says how to take the work back: it is in the rollback of the plan.",
};
