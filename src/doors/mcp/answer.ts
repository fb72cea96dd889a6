// What a tool answers: data for programs, and the same as text for models.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json.js";
import { anyStep, type NextStep } from "../../model/next-step.js";
import type { Failure } from "../../model/result.js";
import type { App, OfferedStep } from "../../verbs/app.js";
import { spell } from "../../verbs/kit/spell.js";
import { harmless } from "../../verbs/kit/wording.js";
import { shownField, shownFields } from "./field-names.js";
import { BUDGET, cleanedWhole, fitBudget, pagedAnswer, tidy } from "./shorten.js";
import { type JsonObject, ONLY, type ToolAction, toolFor } from "./tools.js";

export interface Extent {
  readonly from: number;
  readonly detail: boolean;
}

interface Asker {
  readonly app: App;
  /** Whoever asks the person for them; undefined if this client cannot. */
  readonly person: unknown;
}

export function toolAnswer(output: unknown, { pages, whole }: ToolAction, { from, detail }: Extent, asker: Asker) {
  const answered = withCalls(output, asker);
  if (whole) return structured(cleanedWhole(Object(answered)));
  const told = tidy(answered, detail);
  const budget = detail ? BUDGET.detail : pages === undefined ? BUDGET.one : BUDGET.list;
  if (pages !== undefined) return structured(pagedAnswer(told, pages, from, budget));
  const { value, isCut } = fitBudget(told, budget);
  const data = isRecord(value) ? value : { value };
  return structured(isCut && !detail ? { ...data, cut: "Shortened. Show it with detail: true for all of it." } : data);
}

const structured = (data: JsonObject): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(data) }],
  structuredContent: { ...data },
});

/** Steps wherever they stand: each entry of a list has its own. */
function withCalls(output: unknown, asker: Asker): unknown {
  if (Array.isArray(output))
    return output.every(isStep) ? nextCalls(output, asker) : output.map((each) => withCalls(each, asker));
  if (isStep(output)) return nextCalls([output], asker)[0];
  if (!isRecord(output)) return output;
  return Object.fromEntries(Object.entries(output).map(([field, value]) => [field, withCalls(value, asker)]));
}

const isStep = (value: unknown): value is NextStep =>
  isRecord(value) && typeof value["operation"] === "string" && isRecord(value["input"]);

/** `first` comes before what the failure itself offers. */
export function failureAnswer(failure: Failure, asker: Asker, first: readonly NextCall[] = []): CallToolResult {
  const next = [...first, ...nextCalls(failure.next ?? [], asker)];
  const message = harmless(failure.message);
  // Where in our code a bug is does not help a model.
  const known = { ...failure.details, stack: undefined };
  const details = fitBudget(tidy(known, false), BUDGET.one / 2).value as JsonObject;
  const lines = [`${failure.reason}: ${message}`];
  if (failure.kind === "problems" && Object.keys(details).length > 0) lines.push(JSON.stringify(details));
  if (next.length > 0) lines.push("Next:", ...next.map((call) => `- ${callLine(call)}`));
  return {
    isError: true,
    content: [{ type: "text", text: lines.join("\n") }],
    structuredContent: {
      error: {
        reason: failure.reason,
        message,
        ...(Object.keys(details).length > 0 && { details }),
        ...(next.length > 0 && { next }),
      },
    },
  };
}

// What to do next, as calls of tools. What only a person may do, and this client cannot ask a person for, is a command for another
// terminal; what gives something up is only described.

interface NextCall {
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** To type in another terminal. */
  readonly command?: string;
  readonly who?: "person";
  readonly does?: string;
}

/** Confirmations are a person's: no tool takes them, and a terminal asks for them itself. */
const CONSENT: ReadonlySet<string> = new Set(["yes", "seen"]);

/** The server keeps the tokens of its claims. */
const KEPT = "token";

export const withoutConsent = (input: NextStep["input"]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !CONSENT.has(field)));

const nextCalls = (steps: readonly NextStep[], { app, person }: Asker): NextCall[] =>
  app.offer(steps).map((offered) => callOf(offered, person !== undefined));

function callOf(offered: OfferedStep, canAskPerson: boolean): NextCall {
  const { operation, who, summary, needs = [] } = offered;
  const input = withoutConsent(offered.input);
  const isPersons = who === "person" || Object.keys(input).length < Object.keys(offered.input).length;
  const fields = [...Object.keys(input), ...needs].filter((field) => field !== KEPT);
  const found = isPersons && !canAskPerson ? undefined : toolFor(operation, fields);
  if (!found) return commandFor({ ...offered, input }, isPersons);
  const { tool, action, asks } = found;
  const own = Object.entries(input).filter(([field]) => field !== KEPT && !(field in (asks.fixed ?? {})));
  const missing = needs
    .filter((field) => field !== KEPT)
    .map((field) => [field, `<${shownField(field, asks.fields)}>`]);
  const given = shownFields(Object.fromEntries([...own, ...missing]), asks.fields);
  return {
    tool: tool.name,
    arguments: {
      ...(action !== ONLY && { action }),
      ...given,
    },
    ...(summary !== "" && { does: summary }),
  };
}

/** What no tool does is a command. Only what an agent may not do is a person's. */
function commandFor(offered: OfferedStep, isPersons = true): NextCall {
  const { destructive, summary: does } = offered;
  if (destructive) return { does, ...(isPersons && { who: "person" }) };
  return { command: spell(offered), ...(isPersons && { who: "person" }), ...(does !== "" && { does }) };
}

export function personsCommand(app: App, operation: NextStep["operation"], input: object): NextCall {
  const [offered] = app.offer([anyStep(operation, withoutConsent({ ...input }))]);
  return offered ? commandFor(offered) : {};
}

/** One line for a model: `complete {"reference":"TASK-1"}`. */
function callLine({ tool, arguments: given, command, who, does }: NextCall): string {
  if (tool !== undefined) return `${tool} ${JSON.stringify(given)}`;
  if (who === undefined) return command === undefined ? (does ?? "") : `In a shell: ${harmless(command)}`;
  if (command !== undefined) return `A person types in another terminal: ${harmless(command)}`;
  return `A person decides in another terminal: ${does ?? ""}`;
}
