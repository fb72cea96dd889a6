// What a call holds apart from the spec and the plan, each within its share: the node, answers, assumptions, records,
// lessons, research, what is settled, and a reviewer's own earlier findings.

import { wordsOf } from "../../model/words.js";
import type { Research } from "../contracts/answers.js";
import { findingSubject, gravity, namedIn } from "../contracts/findings.js";
import type { Brief } from "./brief.js";
import { json, listPart, type Part, readingOf, textPart } from "./call-budget.js";

export interface ExtraContext {
  readonly node: Part;
  readonly initiatives: Part;
  readonly answers: Part;
  readonly assumptions: Part;
  readonly records: Part;
  readonly lessons: Part;
  readonly research: Part;
  readonly settled: Part;
  readonly earlier: Part;
  readonly responses: Part;
}

/** Shares of the budget of a call. */
const SHARES = {
  node: 0.05,
  initiatives: 0.02,
  answers: 0.05,
  assumptions: 0.04,
  records: 0.1,
  lessons: 0.03,
  research: 0.08,
  settled: 0.04,
  earlier: 0.2,
  responses: 0.1,
} as const;

export function extraContextOf(brief: Brief, room: number): ExtraContext {
  const tokens = (of: keyof typeof SHARES): number => room * SHARES[of];
  const { node, clarification, answers, lessons } = brief;
  return {
    node: node
      ? textPart(
          "What is planned here",
          `${node.tier} ${node.id}: ${node.title}\n${node.path}\n\n${node.body}`,
          tokens("node"),
          readingOf("node"),
        )
      : ["What is planned here", null],
    initiatives: listPart("Initiatives that the plan has", {
      items: brief.initiatives,
      tokens: tokens("initiatives"),
      write: ({ id, title }) => `- ${id} ${title}`,
      line: ({ id, title }) => `${id} ${title}`,
      reading: readingOf("initiatives"),
    }),
    answers: listPart("What the person answered", {
      items: answers,
      tokens: tokens("answers"),
      write: ({ question, answer, note }) => `- ${question}\n  → ${answer}${note ? ` (${note})` : ""}`,
      line: ({ question, answer }) => `${answer}: ${question}`,
      reading: readingOf("answers"),
    }),
    assumptions: listPart("Assumptions", {
      items: clarification?.assumptions ?? [],
      tokens: tokens("assumptions"),
      write: ({ text }) => `- ${text}`,
      line: ({ text }) => text,
      reading: readingOf("assumptions"),
    }),
    records: recordsPart(brief, tokens("records")),
    lessons: listPart("Lessons from earlier work", {
      items: lessons,
      tokens: tokens("lessons"),
      write: (text) => `- ${text}`,
      line: (text) => text,
      reading: readingOf("lessons"),
    }),
    research: researchPart(brief, tokens("research")),
    settled: settledPart(brief, tokens("settled")),
    earlier: earlierPart(brief, tokens("earlier")),
    responses: listPart("What the author answered to your findings", {
      items: brief.responses,
      tokens: tokens("responses"),
      write: ({ id, severity, title, action, note }) =>
        `- ${id} (${severity}) ${title}\n  → ${action}${note === "" ? "" : `: ${note}`}`,
      line: ({ id, action }) => `${id}: ${action}`,
      reading: readingOf("responses"),
      weight: gravity,
    }),
  };
}

/** What a plan must not break comes first, then what speaks of the same things as the spec. */
function recordsPart({ role, records, spec }: Brief, tokens: number): Part {
  const name = "Active records of the project";
  let topic: ReadonlySet<string> | undefined;
  const inCommon = (text: string): number => {
    topic ??= new Set(wordsOf(spec.text));
    return new Set(wordsOf(text).filter((word) => topic?.has(word))).size;
  };
  return listPart(role === "overviewer" ? name : `${name}: a plan must respect them`, {
    items: records,
    tokens,
    write: ({ key, record: { kind, title, body, measure } }) => {
      const goal = measure ? ` [${measure.metric} ${measure.op} ${measure.target}]` : "";
      return `- ${key} (${kind}) ${title}${goal}${body ? `: ${body}` : ""}`;
    },
    line: ({ key, record: { kind, title } }) => `${key} (${kind}) ${title}`,
    reading: "They hold all the same: `look_up` of a key gives one.",
    weight: ({ record: { kind, title, body } }) =>
      (kind === "constraint" || kind === "requirement" ? BINDING : 0) + inCommon(`${title} ${body}`),
  });
}

/** More than any number of words in common. */
const BINDING = 1e6;

function researchPart({ research }: Brief, tokens: number): Part {
  const name = "Research report";
  if (research === null) return [name, null];
  const { summary, findings, commands }: Research = research;
  const [heading, text] = listPart(name, {
    items: [{ topic: "Summary", text: summary, evidence: [] }, ...findings],
    tokens,
    write: json,
    line: ({ topic }) => topic,
    reading: readingOf("research"),
    weight: ({ evidence }) => evidence.length,
  });
  return [heading, commands.length === 0 ? text : `${text}\n${json({ commands })}`];
}

/** What the latest findings are about comes first: an author must not change it. */
function settledPart({ settled, feedback }: Brief, tokens: number): Part {
  const meant = new Set(feedback.flatMap(({ findings }) => findings.flatMap(namedIn)));
  const write = ({ id, state }: Brief["settled"][number]): string => `${id}: ${state}`;
  return listPart("Nodes that are done, approved or in progress: drop none of them without a reason", {
    items: settled,
    tokens,
    write,
    line: write,
    reading: readingOf("settled"),
    weight: ({ id }) => Number(meant.has(id)),
  });
}

function earlierPart({ earlier, focus }: Brief, tokens: number): Part {
  const judged = new Set(focus);
  return listPart("Your findings of the round before", {
    items: earlier?.findings ?? [],
    tokens,
    write: json,
    line: findingSubject,
    reading: readingOf("earlier"),
    weight: (finding) => gravity(finding) + (namedIn(finding).some((id) => judged.has(id)) ? ABOUT_THIS : 0),
  });
}

/** More than any severity. */
const ABOUT_THIS = 100;
