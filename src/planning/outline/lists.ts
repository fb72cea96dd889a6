// Which statements of a list are one thing: the fields of a record, the values of a setting, the columns of a table.

import { append } from "../../base/append.js";
import { asksForWork, isEndpoint, isOrder, obliges, plainWords, tellsBehaviour } from "../spec/cues.js";
import type { Section, SpecStatement } from "../spec/spec.js";
import { declaresWork, headingRole, isFieldTitle, isQualityTitle, isSequenceTitle } from "./heading-roles.js";
import { hasOwnRequirements, IN_ORDER } from "./item.js";
import type { SpecIndex } from "./spec-index.js";
import { isFieldTable } from "./table-roles.js";
import { headingName, withoutMarks } from "./wording.js";

/** Sub-items that ask for something themselves are work of their own; others are details of their item. */
function areWork(statements: readonly SpecStatement[]): boolean {
  const items = statements.filter(({ kind, done }) => kind === "item" && !done);
  const asking = items.filter(({ text, checkbox }) => checkbox || isOrder(text) || asksForWork(text));
  return items.length > 0 && asking.length > items.length / 2;
}

const MIN_FIELDS = 3;

/** `firstName`, `kubectl exec`, `NotFound — nothing is there`. */
const NAME = /^(?:`[^`]+`|[\p{Ll}_$][\w$.]*)(?:\s*[:(–—-].*)?$/u;

/** Items without boxes, each of one kind. */
const areItems = (statements: readonly SpecStatement[], isOfKind: (text: string) => boolean): boolean =>
  statements.every(({ text, kind, checkbox }) => kind === "item" && !checkbox && isOfKind(text));

/** "**Photo**: image evidence required": the values of one thing, each with what it means. */
const areValues = (statements: readonly SpecStatement[]): boolean =>
  areItems(statements, (text) => {
    const value = /^\*\*[^*]{1,40}(?:\*\*\s*[:–—-]|:\*\*)\s*(.+)$/.exec(text)?.[1];
    return value !== undefined && !isOrder(value) && !/\b(?:must|shall|can)\b/i.test(value);
  });

/** "Display name (required)", "Profile photo": names, although each begins like an order. */
const areShort = (statements: readonly SpecStatement[]): boolean =>
  statements.every(({ text }) => {
    const words = plainWords(text).replaceAll(/\([^()]*\)/g, "");
    return words.trim().split(/\s+/).length <= 3;
  });

/** "If there is one, use it", "If not, ask": the cases of one rule. */
const areCases = (statements: readonly SpecStatement[]): boolean =>
  areItems(statements, (text) => /^(?:if|else|otherwise|when|unless)\b/i.test(plainWords(text)) && !obliges(text));

/** A list in a section about data, or one whose entries are names. */
function isFieldList(statements: readonly SpecStatement[], section: Section): boolean {
  const columns = statements[0]?.columns;
  if (columns !== undefined) return isFieldTable(columns);
  const isTask = (each: SpecStatement): boolean => each.checkbox || each.number !== undefined;
  if (statements.some((each) => isTask(each) || hasOwnRequirements(each, section))) return false;
  const isAboutData = section.path.slice(-2).some(isFieldTitle);
  if (isAboutData)
    return statements.length > 1 && (!areWork(statements) || areValues(statements) || areShort(statements));
  const names = statements.filter(({ text }) => NAME.test(plainWords(text)));
  return statements.length > MIN_FIELDS && names.length >= statements.length * 0.8;
}

/** `NotFound` — nothing is there; `Refused` — not allowed. */
const areCodeNames = (statements: readonly SpecStatement[], section: Section): boolean =>
  areItems(statements, (text) => /^`[^`]+`(?:\s*[:(–—-]|$)/.test(text) && !isEndpoint(text)) &&
  !statements.some((each) => hasOwnRequirements(each, section));

/** What a heading says about one thing, entry by entry: its inputs, its outputs, what it does. */
const ATTRIBUTE =
  /^(?:functions?|descriptions?|purpose|inputs?|outputs?|param(?:eter)?s?|arguments?|returns?|requests?|responses?|request body|response body|body|headers?|query(?: param(?:eter)?s?)?|methods?|paths?|urls?|routes?|end ?points?|types?|location|auth(?:entication|orization)?|permissions?|errors?|status(?: codes?)?|success|details?|examples?|notes?|trigger|actors?|preconditions?|postconditions?|priority|effort|estimate|files?|why|what|how|when|who|where|goal|scope|rationale|interaction|processing|dependenc(?:y|ies)|edge cases?|constraints?|validations?|acceptance(?: criteria)?|business rules?|rules?|error handling|behaviou?rs?|flow|logic|user story|success|failure|states?|ui|layout|triggers?|beschreibung|eingabe|ausgabe|zweck|entrées?|sorties?|entradas?|salidas?|saídas?|descripción|descrição|功能|功能描述|描述|说明|說明|位置|输入|輸入|输出|輸出|参数|參數|返回|細節要求|细节要求|入力|出力|説明|機能)\s*[:：–—]/iu;

function isAttributeList(statements: readonly SpecStatement[], section: Section): boolean {
  // Below "Requirements", "Input: a file" is a requirement.
  return (
    headingRole(section.title)?.isSure !== true &&
    areItems(statements, (text) => ATTRIBUTE.test(plainWords(text))) &&
    !statements.some((each) => hasOwnRequirements(each, section))
  );
}

/** What introduces an item, and the paragraphs of one item, stay below the limit of quotes. */
export const MAX_PARAGRAPHS = 30;

const CHOICE = /\b(?:either|one of|any of|for example|e\.g\.|such as|in this case)\b[^.]*$/i;

/** A list that goes on with the sentence before it and asks for nothing by itself is a part of that text. */
export function isOneThing(index: SpecIndex, section: Section, listed: readonly number[]): boolean {
  const statements = listed.map((place) => index.statement(place));
  if (index.isPreamble(section) || statements.length === 0 || statements.length > MAX_PARAGRAPHS) return false;
  const leads = statements.map(({ lead }) => (lead === undefined ? undefined : index.statement(lead).text));
  const isLed = leads.every((lead) => lead !== undefined && !IN_ORDER.test(lead));
  const isPlain = statements.every(
    (each) => each.kind === "item" && !each.checkbox && !hasOwnRequirements(each, section),
  );
  const isChoice = leads.some((lead) => CHOICE.test(lead ?? ""));
  return isLed && isPlain && (isChoice || !areWork(statements)) && !index.hasSections(section);
}

/** "### 2. Create the picker", below "Implementation plan": a step of the plan, and its list says how. */
export function isPlanStep(index: SpecIndex, section: Section, listed: readonly number[]): boolean {
  const above = index.parentOf(section)?.title ?? "";
  const isNamed = /^\W*(?:step )?\d{1,2}[.):]\s/i.test(section.title) && isOrder(headingName(section.title));
  if (!isNamed || !(declaresWork(above) || isSequenceTitle(above)) || index.hasSections(section)) return false;
  const statements = listed.map((place) => index.statement(place));
  const isPlain = statements.every((each) => !each.checkbox && !hasOwnRequirements(each, section));
  return isPlain && statements.length > 0 && statements.length <= MAX_PARAGRAPHS;
}

/** Lists whose statements are one item: by the place of each. */
export function wholeLists(
  index: SpecIndex,
  section: Section,
  listed: readonly number[],
): Map<number, readonly number[]> {
  const whole = new Map<number, readonly number[]>();
  const lists = new Map<string, number[]>();
  for (const place of listed) {
    const { kind, lead, columns, checkbox } = index.statement(place);
    append(lists, `${kind} ${lead ?? ""} ${columns?.join("|") ?? ""} ${checkbox}`, place);
  }
  const isQuality = section.path.slice(0, -1).some(isQualityTitle) && !index.hasSections(section);
  for (const places of lists.values()) {
    const statements = places.map((place) => index.statement(place));
    const lead = statements[0]?.lead;
    const isOne =
      places.length > 1 &&
      (isQuality ||
        isFieldList(statements, section) ||
        isAttributeList(statements, section) ||
        areCases(statements) ||
        (lead !== undefined && areCodeNames(statements, section)));
    if (isOne) for (const place of places) whole.set(place, places);
  }
  return whole;
}

/** Prose that says what something does, with one list of its parameters or attributes: a thing with its details. */
export function isDescribed(
  index: SpecIndex,
  section: Section,
  listed: readonly number[],
  whole: ReadonlyMap<number, readonly number[]>,
): boolean {
  const [only] = whole.values();
  if (only === undefined || only.length !== listed.length || only.length > MAX_PARAGRAPHS) return false;
  if (index.hasSections(section) || section.path.some(isQualityTitle)) return false;
  const prose = index.places(section).filter((place) => place < (only[0] as number));
  return prose.some((place) => {
    const { text, kind } = index.statement(place);
    return kind !== "item" && kind !== "row" && !text.endsWith(":") && tellsBehaviour(text);
  });
}

/** More sub-items that ask for work than this are tasks of their own. */
const FOLDED_ITEMS = 6;
export const FOLDED_STATEMENTS = 15;

/** "[Actions]" is a heading in the form of an item. */
const isHeadingItem = (text: string): boolean =>
  /^[[*_]|:$/.test(text) && withoutMarks(text).split(/\s+/).length <= 4 && headingRole(text)?.role === "work";

/** Whether the sub-items of an item are tasks of their own. */
export function isSplit(index: SpecIndex, section: Section, openItems: readonly number[], place: number): boolean {
  const { text, requirements: own } = index.statement(place);
  if (openItems.length > 0 && isHeadingItem(text)) return true;
  const statements = openItems.map((child) => index.statement(child));
  if (statements.some((child) => hasOwnRequirements(child, section))) {
    return statements.some(({ requirements }) => requirements.some((id) => !own.includes(id) && !/^AC\b/.test(id)));
  }
  // "The system must support these:" is one thing, however many there are.
  if (text.endsWith(":") && obliges(text)) return false;
  const isLarge = openItems.length > FOLDED_ITEMS || index.inside(place).length > FOLDED_STATEMENTS;
  return isLarge && areWork(statements);
}
