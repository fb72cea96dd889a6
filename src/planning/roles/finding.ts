// What a prompt has to know of any finding: what it is about, and how grave it is.

const GRAVITY: Readonly<Record<string, number>> = {
  critical: 5,
  unreadable: 5,
  high: 4,
  error: 4,
  medium: 3,
  warning: 2,
  low: 1,
  remark: 1,
};

type Found = Readonly<Record<"id" | "code" | "severity" | "grade" | "title" | "message" | "nodes" | "where", unknown>>;

const saying = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reviewers give a severity, the program a grade. */
export function gravity(finding: unknown): number {
  const { severity, grade } = finding as Found;
  return GRAVITY[saying(severity) || saying(grade)] ?? 0;
}

/** What the program only warns of or remarks. */
export const isMinor = (finding: unknown): boolean => {
  const { grade } = finding as Found;
  return grade === "warning" || grade === "remark";
};

/** Ids that a finding is about: reviewers list them, the program names the place. */
export function namedIn(finding: unknown): string[] {
  const { nodes, where } = finding as Found;
  return [...(Array.isArray(nodes) ? nodes.filter((id) => typeof id === "string") : []), ...places(where)];
}

const places = (where: unknown): string[] => (typeof where === "string" ? where.split(", ") : []);

/** For an index: its id or code, how grave it is, and its title. */
export function findingSubject(finding: unknown): string {
  const { id, code, severity, grade, title, message, where } = finding as Found;
  const name = saying(id) || `${saying(code)} ${saying(where)}`.trim();
  return `${name} (${saying(severity) || saying(grade)}) ${saying(title) || saying(message)}`;
}
