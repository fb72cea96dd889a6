// The columns of the board, and the verbs that lead into one of them. Pure: which verbs there are is the server's to say.

import type { StatusTree } from "../api/types.js";
import type { Verb, Verbs } from "../panel/use-verbs.js";
import type { SignName } from "../parts/sign.js";

export interface Column {
  readonly name: string;
  readonly sign: SignName;
  readonly statuses: readonly StatusTree["status"][];
}

export const COLUMNS: readonly Column[] = [
  { name: "planned", sign: "planned", statuses: ["planned"] },
  { name: "blocked", sign: "blocked", statuses: ["blocked"] },
  { name: "frozen", sign: "frozen", statuses: ["frozen"] },
  { name: "ready", sign: "ready", statuses: ["ready"] },
  { name: "in progress", sign: "in_progress", statuses: ["in_progress"] },
  { name: "rejected", sign: "rejected", statuses: ["rejected"] },
  { name: "done", sign: "done", statuses: ["done", "waived"] },
];

export const columnOf = (status: StatusTree["status"]): Column | undefined =>
  COLUMNS.find(({ statuses }) => statuses.includes(status));

const leadsInto = ({ statuses }: Column, { leadsTo }: Verb): boolean => leadsTo.some((each) => statuses.includes(each));

/** Verbs that can be taken now and lead there. */
export const verbsInto = (column: Column, verbs: Verbs): Verb[] =>
  [...verbs.values()].filter((verb) => verb.refused === null && leadsInto(column, verb));

/** Why none does: what the server says of the verbs that would, or that nothing you can do leads there. */
export function whyNone(column: Column, verbs: Verbs): string {
  const refused = [...verbs.values()].filter((verb) => leadsInto(column, verb)).flatMap((verb) => verb.refused ?? []);
  if (refused.length > 0) return [...new Set(refused)].slice(0, 2).join(" ");
  return `Nothing that you can do makes it ${column.name}: that follows from the work itself.`;
}
