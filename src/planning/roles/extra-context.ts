// What a call holds apart from the spec and the plan, each within its share: the node, answers, assumptions, records,
// lessons, research, what is settled, and a reviewer's own earlier findings.

import { wordsOf } from "../../model/words.js";
import { findingSubject, gravity, namedIn, type StoredFinding } from "../contracts/findings.js";
import type { Brief } from "./brief.js";
import { json, type Listing, listPart, type Part, readingOf, textPart } from "./call-budget.js";

type ExtraContext = Readonly<Record<keyof typeof SHARES, Part>>;

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

type List = <T>(
  of: keyof typeof SHARES,
  name: string,
  items: readonly T[],
  line: (item: T) => string,
  more?: Partial<Pick<Listing<T>, "write" | "weight" | "reading">>,
) => Part;

export function extraContextOf(brief: Brief, room: number): ExtraContext {
  const { node, initiatives, answers, clarification, lessons, settled, feedback, earlier, focus, responses } = brief;
  const list: List = (of, name, items, line, more) => {
    const write = (item: (typeof items)[number]): string => `- ${line(item)}`;
    return listPart(name, { items, tokens: room * SHARES[of], write, line, reading: readingOf(of), ...more });
  };
  const place = node ? `${node.tier} ${node.id}: ${node.title}\n${node.path}\n\n${node.body}` : "";
  const [heading, text] = textPart("What is planned here", place, room * SHARES.node, readingOf("node"));
  // What the latest findings are about comes first: an author must not change it.
  const meant = new Set(feedback.flatMap(({ findings }) => findings.flatMap(namedIn)));
  const judged = new Set(focus);
  const isAboutThis = (finding: StoredFinding): boolean => namedIn(finding).some((id) => judged.has(id));
  const stateOf = ({ id, state }: Brief["settled"][number]): string => `${id}: ${state}`;
  return {
    node: [heading, text === "" ? null : text],
    initiatives: list("initiatives", "Initiatives that the plan has", initiatives, ({ id, title }) => `${id} ${title}`),
    answers: list("answers", "What the person answered", answers, ({ question, answer }) => `${answer}: ${question}`, {
      write: ({ question, answer, note }) => `- ${question}\n  → ${answer}${note ? ` (${note})` : ""}`,
    }),
    assumptions: list("assumptions", "Assumptions", clarification?.assumptions ?? [], ({ text }) => text),
    records: recordsPart(brief, list),
    lessons: list("lessons", "Lessons from earlier work", lessons, (text) => text),
    research: researchPart(brief, list),
    settled: list(
      "settled",
      "Nodes that are done, approved or in progress: drop none of them without a reason",
      settled,
      stateOf,
      { write: stateOf, weight: ({ id }) => Number(meant.has(id)) },
    ),
    earlier: list("earlier", "Your findings of the round before", earlier?.findings ?? [], findingSubject, {
      write: json,
      weight: (finding) => gravity(finding) + (isAboutThis(finding) ? ABOUT_THIS : 0),
    }),
    responses: list(
      "responses",
      "What the author answered to your findings",
      responses,
      ({ id, action }) => `${id}: ${action}`,
      {
        write: ({ id, severity, title, action, note }) =>
          `- ${id} (${severity}) ${title}\n  → ${action}${note === "" ? "" : `: ${note}`}`,
        weight: gravity,
      },
    ),
  };
}

/** More than any severity. */
const ABOUT_THIS = 100;

/** What a plan must not break comes first, then what speaks of the same things as the spec. */
function recordsPart({ role, records, spec }: Brief, list: List): Part {
  let topic: ReadonlySet<string> | undefined;
  const inCommon = (text: string): number => {
    topic ??= new Set(wordsOf(spec.text));
    return new Set(wordsOf(text).filter((word) => topic?.has(word))).size;
  };
  const name = `Active records of the project${role === "overviewer" ? "" : ": a plan must respect them"}`;
  return list("records", name, records, ({ key, record: { kind, title } }) => `${key} (${kind}) ${title}`, {
    write: ({ key, record: { kind, title, body, measure } }) => {
      const goal = measure ? ` [${measure.metric} ${measure.op} ${measure.target}]` : "";
      return `- ${key} (${kind}) ${title}${goal}${body ? `: ${body}` : ""}`;
    },
    reading: "They hold all the same: `look_up` of a key gives one.",
    weight: ({ record: { kind, title, body } }) =>
      (kind === "constraint" || kind === "requirement" ? BINDING : 0) + inCommon(`${title} ${body}`),
  });
}

/** More than any number of words in common. */
const BINDING = 1e6;

function researchPart({ research }: Brief, list: List): Part {
  if (research === null) return ["Research report", null];
  const { summary, findings, commands } = research;
  const topics = [{ topic: "Summary", text: summary, evidence: [] }, ...findings];
  const [heading, text] = list("research", "Research report", topics, ({ topic }) => topic, {
    write: json,
    weight: ({ evidence }) => evidence.length,
  });
  return [heading, commands.length === 0 ? text : `${text}\n${json({ commands })}`];
}
