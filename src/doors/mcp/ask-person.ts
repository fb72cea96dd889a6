// What only a person may decide is put to the person in their client, with everything that a terminal would show. The protocol asks by
// answering a call with a question; the client then makes the same call again, with what the person said.

import { createHash, randomUUID } from "node:crypto";
import {
  acceptedContent,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json.js";
import { anyStep, type VerbName } from "../../model/next-step.js";
import { type Result, refused } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { factsOf } from "../../verbs/kit/facts.js";
import { cliFieldsOf } from "../../verbs/kit/read-words.js";
import { FILE } from "../../verbs/kit/schema.js";
import type { Door } from "../../verbs/kit/session.js";
import { allSpellings, spell } from "../../verbs/kit/spell.js";
import { harmless } from "../../verbs/kit/wording.js";
import { loadVerb } from "../../verbs/list.js";
import { previewText } from "../../verbs/text/preview-lines.js";
import { inputAt, resourceAt } from "./resources.js";
import type { JsonObject } from "./tools.js";

/** Questions that the person said yes to, and the one that is open, by an id that only this server knows. */
interface OpenQuestion {
  readonly confirmed: readonly string[];
  readonly open: string;
}

/** More than a person has open at once; the oldest is forgotten. */
const MAX_OPEN_QUESTIONS = 100;

export class OpenQuestions {
  readonly #asked = new Map<string, OpenQuestion>();

  put(asked: OpenQuestion): string {
    const id = randomUUID();
    const [oldest] = this.#asked.keys();
    if (this.#asked.size >= MAX_OPEN_QUESTIONS && oldest !== undefined) this.#asked.delete(oldest);
    this.#asked.set(id, asked);
    return id;
  }

  take(id: unknown): OpenQuestion | undefined {
    const found = typeof id === "string" ? this.#asked.get(id) : undefined;
    this.#asked.delete(String(id));
    return found;
  }
}

export interface PersonAsker {
  readonly app: App;
  readonly agent: string;
  readonly open: OpenQuestions;
  readonly context: ServerContext;
}

export interface PersonsCall {
  readonly name: VerbName;
  readonly input: JsonObject;
}

const FIELD = "confirm";
const KEY = "decision";

/** Claude Code shows three lines of the message and one of the description: enough to say where to read the rest. */
const form = (description: string): Parameters<typeof inputRequired.elicit>[0]["requestedSchema"] => ({
  type: "object",
  properties: { [FIELD]: { type: "boolean", title: "Yes, do exactly this", description, default: false } },
  required: [FIELD],
});

/** What came of it, or the question that the client has to put to the person first. */
export type PersonAnswer = { readonly result: Result<unknown> } | { readonly question: InputRequiredResult };

export async function askPerson({ name, input }: PersonsCall, asker: PersonAsker, door: Door): Promise<PersonAnswer> {
  const { app, agent, open, context } = asker;
  const before = open.take(context.mcpReq.requestState());
  const said = acceptedContent(context.mcpReq.inputResponses, KEY)?.[FIELD] === true;
  if (before && !said) return { result: refused("declined", "The person said no. Nothing was done.") };
  const confirmed = before ? [...before.confirmed, before.open] : [];
  const command = await readingOf(name, input);
  let asking: InputRequiredResult | undefined;
  const confirm = async (question: string, preview?: Parameters<NonNullable<Door["confirm"]>>[1]): Promise<boolean> => {
    const message = harmless(
      [`${agent} asks you to decide.`, ...(preview ? [previewText(preview)] : []), question].join("\n"),
    );
    const shown = createHash("sha256").update(message).digest("hex");
    if (confirmed.includes(shown)) return true;
    asking ??= inputRequired({
      inputRequests: {
        [KEY]: inputRequired.elicit({
          message,
          requestedSchema: form(`Shortened? Read all of it in a terminal: ${command}`),
        }),
      },
      requestState: open.put({ confirmed, open: shown }),
    });
    return false;
  };
  const isAsked = factsOf(name).asksItself || (await confirm(await questionFor(name, input, asker)));
  const asked = isAsked ? await app.ask(name, input, { ...door, confirm }).catch(failureOf) : undefined;
  if (asking) return { question: asking };
  return { result: asked ?? refused("declined", "Nothing was done.") };
}

/** The command that shows what is decided, and decides nothing by itself. */
async function readingOf(name: VerbName, input: JsonObject): Promise<string> {
  if (factsOf(name).asksItself) {
    const { yes: _, ...asks } = input;
    return harmless(spell(anyStep(name, asks)));
  }
  const [reference] = await subjectsOf(name, input);
  const shower = resourceAt(reference === undefined ? "plan" : "node");
  return harmless(spell(anyStep(shower.verb, inputAt(shower, reference))));
}

/** What is wanted, by whom, and of what: everything that a person needs to say yes or no. */
async function questionFor(name: VerbName, input: JsonObject, { app }: PersonAsker): Promise<string> {
  const [offered] = app.offer([anyStep(name, input)]);
  const { background } = await loadVerb(name);
  const subjects = await Promise.all(
    (await subjectsOf(name, input)).map(async (reference) => [
      ...(await linesAbout(app, reference)),
      ...((await background?.(app, reference)) ?? []).flatMap(indented),
    ]),
  );
  return [
    `${offered?.summary ?? name}?`,
    ...subjects.flat(),
    `This does the same as: ${spell(anyStep(name, input))}`,
  ].join("\n");
}

const MAX_SUBJECTS = 20;

async function subjectsOf(name: VerbName, input: JsonObject): Promise<string[]> {
  const spelling = allSpellings().find(({ operation }) => operation === name);
  const { positional = [], flags = [] } = spelling ? cliFieldsOf(await loadVerb(name), spelling) : {};
  return [...positional, ...flags]
    .filter(({ names }) => names !== null && names !== FILE)
    .flatMap(({ name: field }) => [input[field] ?? []].flat())
    .filter((value): value is string => typeof value === "string")
    .slice(0, MAX_SUBJECTS);
}

const indented = (text: string): string[] => (text.trim() === "" ? [] : [text.trimEnd().replace(/^/gm, "    ")]);

async function linesAbout(app: App, reference: string): Promise<string[]> {
  const shower = resourceAt("node");
  const shown = await app.ask(shower.verb, inputAt(shower, reference));
  if (!shown.ok || !isRecord(shown.value)) return [];
  const fields = "item" in shown.value ? (shown.value["item"] as JsonObject) : shown.value;
  const { id, title, question, context, options } = fields;
  const about = typeof title === "string" ? title : typeof question === "string" ? question : undefined;
  if (about === undefined) return [];
  const choices = Array.isArray(options)
    ? (options as JsonObject[]).map(({ id: key, label }) => `    ${String(key)}  ${String(label)}`)
    : [];
  return [
    `  ${typeof id === "string" ? id : reference}  ${about}`,
    ...(typeof context === "string" ? indented(context) : []),
    ...choices,
  ];
}
