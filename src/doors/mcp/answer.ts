// What a tool answers: data for programs, and the same as text for models.

import type { CallToolResult } from "@modelcontextprotocol/server";
import type { NextStep } from "../../model/next-step.js";
import type { Failure } from "../../model/result.js";
import type { App } from "../../verbs/app.js";
import { callLine, type NextCall, nextCalls } from "./next-calls.js";
import { BUDGET, cleaned, cleanedWhole, fitBudget, pagedAnswer, tidy } from "./shorten.js";
import { isJsonObject, type JsonObject } from "./tool-schema.js";
import type { ToolAction } from "./tools.js";

export interface Extent {
  readonly from: number;
  readonly detail: boolean;
}

interface Asker {
  readonly app: App;
  /** Whoever asks the person for them; undefined if this client cannot. */
  readonly person: unknown;
}

export async function toolAnswer(
  output: unknown,
  { pages, whole }: ToolAction,
  { from, detail }: Extent,
  asker: Asker,
): Promise<CallToolResult> {
  const answered = await withCalls(output, asker);
  if (whole) return structured(cleanedWhole(answered) as JsonObject);
  const told = tidy(answered, detail);
  const budget = detail ? BUDGET.detail : pages === undefined ? BUDGET.one : BUDGET.list;
  if (pages !== undefined) return structured(pagedAnswer(told, pages, from, budget));
  const { value, isCut } = fitBudget(told, budget);
  const data = isJsonObject(value) ? value : { value };
  return structured(isCut && !detail ? { ...data, cut: "Shortened. Show it with detail: true for all of it." } : data);
}

const structured = (data: JsonObject): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(data) }],
  structuredContent: { ...data },
});

/** Steps in an answer as calls. */
async function withCalls(output: unknown, { app, person }: Asker): Promise<unknown> {
  if (!isJsonObject(output)) return output;
  const { next, context } = output;
  const canAskPerson = person !== undefined;
  const calls = Array.isArray(next) ? { next: await nextCalls(app, next as NextStep[], canAskPerson) } : {};
  const [reading] = isStep(context) ? await nextCalls(app, [context], canAskPerson) : [];
  return { ...output, ...calls, ...(reading && { context: reading }) };
}

const isStep = (value: unknown): value is NextStep =>
  isJsonObject(value) && typeof value["operation"] === "string" && isJsonObject(value["input"]);

/** `first` comes before what the failure itself offers. */
export async function failureAnswer(
  failure: Failure,
  { app, person }: Asker,
  first: readonly NextCall[] = [],
): Promise<CallToolResult> {
  const next = [...first, ...(await nextCalls(app, failure.next ?? [], person !== undefined))];
  const message = cleaned(failure.message);
  const details = fitBudget(tidy(withoutStack(failure.details ?? {}), false), BUDGET.one / 2).value as JsonObject;
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

/** Where in our code a bug is does not help a model. */
const withoutStack = (details: JsonObject): JsonObject => ({ ...details, stack: undefined });
