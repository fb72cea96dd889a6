// What a role said about one part after the other, joined to one answer, as if it had seen everything at once. The
// earlier parts are read back from the calls, so a run that was killed in between continues with the next.

import type { Reader } from "../../store/store.js";
import { callsOf } from "../calls/calls.js";
import type { Clarification } from "../contracts/clarification.js";
import type { Research } from "../contracts/research.js";
import type { Critique } from "../contracts/review.js";
import type { RoleAsk } from "../machine/machine.js";
import { judgeReply } from "../roles/contract.js";

/** The answer to this part, joined to those of the parts before. */
export async function joinParts(
  reader: Reader,
  run: string,
  asked: Omit<RoleAsk, "for">,
  value: unknown,
): Promise<unknown> {
  if (asked.part === 0 || asked.role === "author" || asked.role === "overviewer") return value;
  const parts = [...(await earlierParts(reader, run, asked)), value];
  if (asked.role === "clarifier") return joinClarifications(parts as Clarification[]);
  return asked.role === "critic" ? joinCritiques(parts as Critique[]) : joinResearch(parts as Research[]);
}

async function earlierParts(reader: Reader, run: string, asked: Omit<RoleAsk, "for">): Promise<unknown[]> {
  const { role, stage, part } = asked;
  const answered = (await callsOf(reader, run)).filter(
    ({ fields }) => fields.role === role && fields.stage === stage && fields.state === "answered",
  );
  const values: unknown[] = [];
  for (const { fields } of answered.slice(-part)) {
    const text = fields.output === null ? undefined : await reader.document(fields.output);
    const judged = judgeReply(asked, JSON.parse(text ?? "null"));
    if (judged.ok) values.push(judged.value);
  }
  return values;
}

const MOST_QUESTIONS = 5;

/** Beyond five, the default is taken, and it is written down as an assumption. */
export function joinClarifications(parts: readonly Clarification[]): Clarification {
  const questions = distinct(
    parts.map((part) => part.questions),
    ({ question }) => question,
  );
  const taken = questions.slice(MOST_QUESTIONS).map((question) => ({
    text: `${question.question} ${question.default}`.slice(0, 500),
    because: "more than five questions came up: the default was taken",
  }));
  return {
    intent: joined(parts.map(({ intent }) => intent)),
    ambiguities: parts.flatMap(({ ambiguities }) => ambiguities),
    questions: questions.slice(0, MOST_QUESTIONS),
    assumptions: [...parts.flatMap(({ assumptions }) => assumptions), ...taken],
  };
}

const RATINGS = ["pass", "warn", "fail"] as const;
const SEVERITIES = ["low", "medium", "high", "critical"] as const;

const worst = <T>(order: readonly T[], values: readonly T[]): T =>
  order[Math.max(...values.map((value) => order.indexOf(value)))] as T;

/** The worst rating counts, and of the same finding the gravest. */
export function joinCritiques(parts: readonly Critique[]): Critique {
  const findings = distinct(
    parts.map((part) => part.findings),
    ({ title }) => title,
  );
  const everywhere = parts.flatMap((part) => part.findings);
  const same = (title: string): Critique["findings"] => everywhere.filter((finding) => finding.title === title);
  const rate = (area: keyof Critique["ratings"]): Critique["ratings"][typeof area] =>
    worst(
      RATINGS,
      parts.map(({ ratings }) => ratings[area]),
    );
  const say = (about: keyof Critique["assessment"]): string => joined(parts.map(({ assessment }) => assessment[about]));
  return {
    findings: findings.map((finding) => ({
      ...finding,
      severity: worst(
        SEVERITIES,
        same(finding.title).map(({ severity }) => severity),
      ),
      nodes: [...new Set(same(finding.title).flatMap(({ nodes }) => nodes))],
      evidence: same(finding.title).flatMap(({ evidence }) => evidence),
    })),
    ratings: {
      consistency: rate("consistency"),
      soundness: rate("soundness"),
      implementability: rate("implementability"),
      completeness: rate("completeness"),
      risk: rate("risk"),
    },
    assessment: {
      quality: say("quality"),
      coherence: say("coherence"),
      technicalChoices: say("technicalChoices"),
      strategy: say("strategy"),
    },
    questions: parts.flatMap(({ questions }) => questions),
  };
}

export const joinResearch = (parts: readonly Research[]): Research => ({
  summary: joined(parts.map(({ summary }) => summary)),
  findings: parts.flatMap(({ findings }) => findings),
  commands: [...new Map(parts.flatMap(({ commands }) => commands).map((command) => [command.run, command])).values()],
});

const joined = (texts: readonly string[]): string => [...new Set(texts.filter((text) => text !== ""))].join(" ");

/** Each once; an id that another part used for something else gets the number of its part. */
function distinct<T extends { readonly id: string }>(
  parts: readonly (readonly T[])[],
  words: (item: T) => string,
): T[] {
  const [ids, said] = [new Set<string>(), new Set<string>()];
  const kept: T[] = [];
  for (const [index, items] of parts.entries()) {
    for (const item of items) {
      if (said.has(words(item))) continue;
      said.add(words(item));
      const id = ids.has(item.id) ? `${item.id}-P${index + 1}` : item.id;
      ids.add(id);
      kept.push({ ...item, id });
    }
  }
  return kept;
}
