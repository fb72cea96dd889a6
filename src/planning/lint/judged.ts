// A task of a draft as records judge it: what it touches, and everything that it says.

import type { JudgedTask } from "../../model/item/contradictions.js";
import type { DraftTask } from "../contracts/plan-draft.js";

export const judgedTask = ({ id, title, body, checks, files, symbols, requirements }: DraftTask): JudgedTask => ({
  id,
  title,
  body: [body, ...symbols, ...requirements].join("\n"),
  checks,
  files: files.map(({ path }) => path),
  nr: null,
  feature: null,
});

/** Whatever was given holds for all of the draft. */
export const holding = <T extends { readonly scope: unknown }>(
  records: readonly { readonly key: string; readonly record: T }[],
): { key: string; fields: T & { scope: null } }[] =>
  records.map(({ key, record }) => ({ key, fields: { ...record, scope: null } }));
