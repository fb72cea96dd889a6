import { answerStep } from "../../model/item/question.js";
import type { ValueOf } from "../../model/result.js";
import { answer as answerQuestion, openQuestion, previewAnswer } from "../../plan/answer/answer.js";
import type { Session } from "../kit/session.js";
import {
  absent,
  fields,
  filled,
  flag,
  harmless,
  type Infer,
  inLine,
  key,
  ok,
  optional,
  planVerb,
  type Result,
  refused,
  step,
  undoStep,
} from "../kit/verb.js";
import { PREVIEW_REPORT } from "../text/preview-lines.js";

export const input = fields({
  id: key("question", "the question, such as ESC-001", "ID"),
  option: optional(filled("the option, or the answer in your own words; you choose from a menu without it", "OPTION")),
  note: optional(filled("what else the asker should know")),
  seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
  yes: optional(flag("approve new tasks without showing a preview and asking")),
});

type Answered = ValueOf<ReturnType<typeof answerQuestion>>;

/** A run that you end is over at once: nobody has to resume it for that. */
async function endedRun(session: Session, answered: Answered): Promise<Result<Answered>> {
  const run = answered.blocks.find((key) => /^RUN-\d+$/.test(key));
  if (answered.option !== "abort" || run === undefined) return ok(answered);
  const { abortRun } = await import("../../planning/run/resume.js");
  const ended = await abortRun(await (await session.engines()).planning(), run);
  return ended.ok ? ok({ ...answered, did: `${run} is over`, next: [step("plan.show", { run })] }) : ended;
}

type Asked = Infer<typeof input>;

interface Choice extends Asked {
  readonly option: string;
}

/** Without an option you choose from a menu, or get the list of them where nobody can be asked. */
async function choose(session: Session, asked: Asked): Promise<Result<Choice>> {
  const { id, option } = asked;
  if (option !== undefined) return ok({ ...asked, option });
  const found = await session.store.read((reader) => openQuestion(reader, id));
  if (!found.ok) return found;
  const { key, fields: question } = found.value;
  if (session.ask === undefined) {
    const list = question.options.map((each, i) => `\n${i + 1} ${each.id}  ${each.label}`).join("");
    const how = list === "" ? "It takes your own words." : `Its options are:${list}`;
    return absent("no-option", `${key} needs an answer: ${question.question} ${how}`, {
      details: { options: question.options },
      next: [answerStep(key, question.recommended), step("show", { reference: key })],
    });
  }
  const answered = await session.ask(key, question);
  if (answered === undefined) {
    return refused("not-answered", `${key} still waits for your answer.`, { next: [step("show", { reference: key })] });
  }
  const note = answered.note === "" ? asked.note : answered.note;
  return ok({ ...asked, option: answered.option, ...(note !== undefined && { note }) });
}

export const verb = planVerb({
  command: { words: "question answer", group: "decide", positional: ["id", "option"], aliases: ["answer"] },
  summary: "Answer a question",
  description:
    "Name the option by its id, its number or the beginning of its label, or leave it out to choose from a menu. A question without options takes your own words. You can still answer a question that has expired. An answer about a task (reset, accept, drop, split, linear) is carried out in the same operation. Accepting needs a note, which is recorded as the reason. An answer that approves new tasks shows them first, whole, and asks.",
  who: "person",
  effect: "writes",
  tools: [{ tool: "decide", action: "answer", fields: ["id", "option", "note"] }],
  input,
  examples: [
    { input: { id: "ESC-001" }, does: "shows the options as a menu" },
    { input: { id: "ESC-001", option: "sqlite" }, does: "chooses the option with that id" },
    { input: { id: "ESC-002", option: "split" }, does: "makes and approves the parts that a worker proposed" },
    { input: { id: "ESC-001", option: "2", note: "only for now" }, does: "chooses the second option, with a note" },
  ],
  run: async (session, typed) => {
    const chosen = await choose(session, typed);
    if (!chosen.ok) return chosen;
    const asked = chosen.value;
    const { confirmApproval } = await import("../consent/confirm-approval.js");
    const { yes: _, ...again } = asked;
    const seen = await confirmApproval(session, {
      consent: asked,
      preview: (settings) => previewAnswer(session, asked, settings),
      needsYes: ({ nodes }) => nodes.length > 0,
      question: `Answer ${asked.id} with "${asked.option}" and approve this?`,
      withSeen: (hash) => step("question.answer", { ...again, seen: hash }),
    });
    if (!seen.ok) return seen;
    const given = await answerQuestion(session, asked, seen.value);
    return given.ok ? endedRun(session, given.value) : given;
  },
  text: ({ id, label, note }, style) =>
    `${style.green("✓")} ${style.bold(id)}  ${harmless(label)}${note === "" ? "" : `: ${inLine(note)}`}`,
  note: ({ expired, did, next, blocks }) => [
    expired && "The question had expired. Your answer still counts unless the work went on without it.",
    did !== null && `${did}.`,
    did === null && next.length === 0 && blocks.length > 0 && `It held up ${blocks.join(", ")}.`,
  ],
  next: ({ next, op }) => [...next, ...undoStep(op)],
  ...PREVIEW_REPORT,
});
