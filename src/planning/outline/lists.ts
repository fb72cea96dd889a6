// Which statements of a list are one thing: the fields of a record, the values of a setting, the columns of a table.

import { asksForWork, isEndpoint, isOrder, isStory, plainWords } from "../spec/cues.js";
import type { Section, SpecStatement } from "../spec/spec.js";
import { isFieldTitle } from "./heading-roles.js";
import { isFieldTable } from "./table-roles.js";

const LONGEST_FIELD = 12;

/** Names something rather than asking for it: `id`, `firstName`, "quantity of each product". */
export function isField({ text, checkbox, requirements, kind }: SpecStatement, section: Section): boolean {
  if (kind !== "item" || checkbox || (requirements.length > 0 && requirements !== section.requirements)) return false;
  const words = plainWords(text);
  const isName = /^(?:\[optional\]\s*)?(?:`|\{|<|[\p{Ll}_$])/iu.test(words) && !/^[\p{Lu}]/u.test(words.replace(/^\[optional\]\s*/i, ""));
  return isName && words.split(/\s+/).length <= LONGEST_FIELD && !isOrder(words) && !asksForWork(words);
}

/** Sub-items that ask for something themselves are work of their own; others are details of their item. */
export function areWork(statements: readonly SpecStatement[]): boolean {
  const items = statements.filter(({ kind, done }) => kind === "item" && !done);
  const asking = items.filter(
    ({ text, checkbox }) => checkbox || isOrder(text) || isStory(text) || isEndpoint(text) || asksForWork(text),
  );
  return items.length > 0 && asking.length > items.length / 2;
}

const FEWEST_FIELDS = 3;

/** A list in a section about data, or one whose entries are names. */
export function isFieldList(statements: readonly SpecStatement[], section: Section): boolean {
  const [first] = statements;
  if (first === undefined) return false;
  if (first.kind === "row") return isFieldTable(first.columns ?? []);
  const hasIds = statements.some(({ requirements }) => requirements !== section.requirements && requirements.length > 0);
  if (hasIds || statements.some(({ checkbox, number }) => checkbox || number !== undefined)) return false;
  const fields = statements.filter((statement) => isField(statement, section));
  const isAboutData = section.path.slice(-2).some(isFieldTitle);
  if (isAboutData) return !areWork(statements) && statements.length > 1;
  const areNames = fields.filter(({ text }) => /^`?[\p{Ll}_$][\w$.]*`?(?:\s*[:(–—-].*)?$/u.test(plainWords(text)));
  return statements.length > FEWEST_FIELDS && fields.length >= statements.length * 0.8 && areNames.length >= statements.length / 2;
}
