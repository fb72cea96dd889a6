// A row as one text. Reading the sixty columns of a row takes six times as long as reading one, so
// `verify` compares texts, and looks at columns only where those differ.

import { BLANK, type Node, type NodeFields } from "../graph/node/node.js";
import type { Value } from "./database.js";
import { DERIVED, toColumns } from "./node-columns.js";

const NAMED = { uuid: "", id: "", tier: "task", title: "", createdAt: 0, createdBy: "" } as const;

/** What the columns of a node hold that says no more than it must. */
const BLANK_COLUMNS = toColumns({ ...NAMED, ...BLANK });

export const IMAGED = [
  "nr",
  ...Object.keys(BLANK_COLUMNS),
  ...Object.values(DERIVED),
  "revision",
  "updated_at",
  "ready",
];

const PLACES = new Map(IMAGED.map((column, place) => [column, place]));

/** Between the columns. In a tampered value it would be one too many. */
export const SEPARATOR = "\u001f";

/** The parameter is the separator. A value has a sign before it, so that none can look like null. */
export const IMAGE_SQL = `concat_ws(?, ${IMAGED.map((column) => `coalesce('=' || ${column}, '-')`).join(", ")})`;

const toText = (value: Value): string => (value === null ? "-" : `=${value}`);

const BLANK_IMAGE = IMAGED.map((column) => toText(BLANK_COLUMNS[column] ?? null));

/** `said`: the fields of the node that are not blank. */
export function imageOfRow(node: Node, said: Partial<NodeFields>, ready: number | null): string {
  const image = [...BLANK_IMAGE];
  const set = (column: string, value: Value): void => {
    image[PLACES.get(column) as number] = toText(value);
  };
  const columns = toColumns(said);
  for (const column in columns) set(column, columns[column] as Value);
  for (const field in DERIVED) {
    const value = node[field as keyof typeof DERIVED];
    set(DERIVED[field as keyof typeof DERIVED], typeof value === "boolean" ? Number(value) : value);
  }
  // The only column of fractions: a whole number is written with one all the same.
  if (Number.isInteger(node.estimateHours)) set("estimate_hours", `${node.estimateHours}.0`);
  set("nr", node.nr);
  set("revision", node.revision);
  set("updated_at", node.updatedAt);
  set("ready", ready);
  return image.join(SEPARATOR);
}
