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
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

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
  return [{ source: words(value["source"]) || "review", round, verdict: words(value["verdict"]), findings }];
}

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
