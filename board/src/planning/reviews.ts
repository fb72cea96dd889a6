// Reviews as a run keeps them, read with care: what is missing is empty.

export interface Finding {
  readonly id: string;
  readonly grade: string;
  readonly title: string;
  /** What is wrong, in as many words as it takes. */
  readonly description: string;
  readonly suggestion: string;
  /** Nodes of the draft, or the place that a program names. */
  readonly about: string;
  /** Lines of code, each with what it shows. */
  readonly evidence: readonly string[];
}

export interface Review {
  readonly source: string;
  readonly round: number;
  readonly verdict: string;
  readonly findings: readonly Finding[];
  /** What the reviewer asks. */
  readonly questions: readonly string[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function words(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(words).join(", ");
  if (!isObject(value)) return "";
  const [file, line, claim] = [value["file"], value["lineStart"], value["claim"]];
  const place = [file, line].filter((part) => typeof part === "string" || typeof part === "number").join(":");
  return [place, words(claim)].filter(Boolean).join(" ");
}

const findingOf = (value: Record<string, unknown>): Finding => ({
  id: words(value["id"] ?? value["code"]),
  grade: words(value["severity"] ?? value["grade"]),
  title: words(value["title"] ?? value["message"]),
  description: words(value["description"]),
  suggestion: words(value["suggestion"]),
  about: words(value["nodes"] ?? value["where"]),
  evidence: Array.isArray(value["evidence"]) ? value["evidence"].map(words).filter(Boolean) : [],
});

/** One review, or none if it cannot be read. */
export function readReview(json: string): Review[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  if (!isObject(value)) return [];
  const findings = Array.isArray(value["findings"]) ? value["findings"].filter(isObject).map(findingOf) : [];
  const round = typeof value["round"] === "number" ? value["round"] : 0;
  const asked = Array.isArray(value["questions"]) ? value["questions"].filter(isObject) : [];
  const questions = asked.map(({ question, context }) => [question, context].map(words).filter(Boolean).join(" "));
  return [{ source: words(value["source"]) || "review", round, verdict: words(value["verdict"]), findings, questions }];
}

/** The latest review of each source. */
export const latestOf = (reviews: readonly Review[]): Review[] => [
  ...new Map(reviews.toSorted((a, b) => a.round - b.round).map((review) => [review.source, review])).values(),
];

/** What the author answered to it in this round, or the last time that the same reviewer found it. */
export const answerTo = (
  { source, round }: Review,
  id: string,
  answers: readonly AuthorAnswer[],
): AuthorAnswer | undefined =>
  answers
    .filter((each) => each.id === id && each.source === source && each.round <= round)
    .sort((a, b) => a.round - b.round)
    .at(-1);

/** What the author did about a finding. */
export interface AuthorAnswer {
  readonly source: string;
  readonly round: number;
  readonly id: string;
  readonly action: string;
  readonly note: string;
}

/** The author's answers, or none if they cannot be read. */
export function readAnswers(json: string): AuthorAnswer[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  const all = Array.isArray(value) ? value : isObject(value) ? Object.values(value).find(Array.isArray) : undefined;
  if (!Array.isArray(all)) return [];
  return all.filter(isObject).map((each) => ({
    source: words(each["source"]),
    round: typeof each["round"] === "number" ? each["round"] : 0,
    id: words(each["id"]),
    action: words(each["action"]),
    note: words(each["note"]),
  }));
}
