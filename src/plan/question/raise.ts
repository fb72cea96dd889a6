// Asks a person a question inside an operation, and withdraws it. Planning and execution call these.

import type { AttemptFailure } from "../../model/attempt/attempt.js";
import { failureDetails } from "../../model/attempt/failure-view.js";
import { changeItem, createItem, type ItemChange } from "../../model/item/item.js";
import { type Option, openTwin, type Question, soundOptions } from "../../model/item/question.js";
import { itemKey } from "../../model/item-key.js";
import type { CheckResult, FailureClass, Node } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import type { Reader, Writer } from "../../store/store.js";
import type { Maker } from "../record/save-record.js";

/** Without options the person answers in their own words. */
export type NewQuestion = Pick<Question, "kind" | "question" | "owner"> &
  Partial<Pick<Question, "split" | "attempt" | "context" | "options" | "recommended" | "expiresAt" | "blocks">>;

/** Changes nothing if the owner has the same question open already. `earlier`: what the same operation has raised before. */
export async function raise(
  writer: Writer,
  asked: NewQuestion,
  { by, at }: Maker,
  earlier: readonly ItemChange[] = [],
) {
  const pending = earlier.filter(({ entity, before }) => entity === "question" && before === null);
  const known = [
    ...(await writer.items("question", { owner: asked.owner, state: "open" })),
    ...pending.map(({ key, after }) => ({ key, fields: after as unknown as Question })),
  ];
  const twin = openTwin(known, asked);
  if (twin) return { key: twin.key, changes: [] };
  const key = itemKey("ESC", await writer.number("ESC"));
  const { options = [], recommended = null, ...rest } = asked;
  const sound = soundOptions(options, recommended);
  const made = { state: "open", answer: null, createdAt: at, createdBy: by } as const;
  return { key, changes: [createItem("question", key, { ...BLANK, ...rest, ...sound, ...made })] };
}

const BLANK: Pick<Question, "context" | "expiresAt" | "blocks"> = { context: "", expiresAt: null, blocks: [] };

/** Withdraws the open questions of an owner, and says why. `answered`: the key of one that is being answered, which stays. */
export async function withdraw(
  reader: Reader,
  owner: string,
  answered?: string,
  because?: string,
): Promise<ItemChange[]> {
  const open = await reader.items("question", { owner, state: "open" });
  const patch = { state: "withdrawn", ...(because && { withdrawnBecause: because }) } as const;
  return open.filter(({ key }) => key !== answered).flatMap((item) => changeItem(item, patch));
}

interface RejectedWork extends Pick<AttemptFailure, "class" | "reason"> {
  readonly attempt: string | null;
  readonly checks: readonly CheckResult[];
  readonly recommended?: "reset" | "replan";
}

const WORDS: Readonly<Record<FailureClass, string>> = {
  transient: "failed: what it needs was not there",
  logic: "failed",
  design: "failed several times in the same way",
  plan: "failed: the plan has a mistake",
  architecture: "contradicts what was decided",
  conflict: "conflicts with other work",
  other: "was stopped",
};

export async function askAboutRejected(
  writer: Writer,
  { id, title }: Node,
  { class: kind, reason, attempt, checks, recommended = "reset" }: RejectedWork,
  maker: Maker,
): Promise<readonly Change[]> {
  const question = `${id} "${title}" ${WORDS[kind]}. What next?`;
  const said = failureDetails(checks).map((line) => `  ${line}`);
  const context = [reason, ...said, ...(attempt === null ? [] : [`(${attempt})`])].join("\n");
  const whole = attempt === null ? {} : { attempt };
  const about = { question, context, ...whole, owner: id, blocks: [id], recommended, options: REJECTED_OPTIONS };
  return (await raise(writer, { kind: kind === "conflict" ? "conflict" : "rejected", ...about }, maker)).changes;
}

const REJECTED_OPTIONS: readonly Option[] = [
  { id: "reset", label: "Try it again", detail: "The task goes back into the queue." },
  { id: "accept", label: "Accept what was handed in", detail: "Recorded as your override of the checks." },
  { id: "replan", label: "Plan it again", detail: "Its story or feature goes through planning again." },
  { id: "drop", label: "Drop it", detail: "Tasks that depend on it stay blocked until you decide about them." },
];
