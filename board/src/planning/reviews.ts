// Reviews as a run keeps them, read with care: what is missing is empty.

export interface Finding {
  readonly id: string;
  readonly grade: string;
  readonly message: string;
  readonly where: string;
  readonly suggestion: string;
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
  return [value["file"], value["line"], value["quote"]]
    .filter((part) => part !== undefined && part !== null)
    .map(String)
    .join(":");
}

const findingOf = (value: Record<string, unknown>): Finding => ({
  id: words(value["id"] ?? value["code"]),
  grade: words(value["severity"] ?? value["grade"]),
  message: words(value["message"] ?? value["problem"] ?? value["title"]),
  where: words(value["evidence"] ?? value["where"]),
  suggestion: words(value["suggestion"] ?? value["fix"]),
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

export const answerTo = (
  { source, round }: Review,
  id: string,
  answers: readonly AuthorAnswer[],
): AuthorAnswer | undefined => answers.find((each) => each.id === id && each.source === source && each.round === round);

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
