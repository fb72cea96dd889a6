// One call of a tool, from the arguments that a client sends to its answer. What may be asked and what comes of it, the operation
// decides.

import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json.js";
import { anyStep } from "../../model/next-step.js";
import { type Failure, ok, type Result, usage } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { factsOf } from "../../verbs/kit/facts.js";
import type { Door } from "../../verbs/kit/session.js";
import { loadVerb } from "../../verbs/list.js";
import type { Routed } from "../../verbs/router/route.js";
import { type Extent, failureAnswer, personsCommand, toolAnswer, withoutConsent } from "./answer.js";
import { askPerson, type PersonAsker, type PersonsCall } from "./ask-person.js";
import { givenFields, shownField } from "./field-names.js";
import { PAGE } from "./shorten.js";
import { isPaged, type JsonObject, ONLY, type ToolAction, type ToolDeclaration, toolFor } from "./tools.js";

export interface ToolCaller {
  readonly app: App;
  readonly claims: KeptClaims;
  /** Asks the person through this client; undefined where it cannot, or where nobody trusted it to. */
  readonly person: PersonAsker | undefined;
  /** Why it may not ask, if a person could change that. */
  readonly notAsked: Failure | undefined;
  readonly door: Pick<Door, "signal" | "onEvent" | "conversation">;
}

interface Call {
  readonly asks: ToolAction;
  readonly input: JsonObject;
  readonly wanted: Extent;
}

export type ToolReply = CallToolResult | InputRequiredResult;

export async function callTool(tool: ToolDeclaration, given: unknown, caller: ToolCaller): Promise<ToolReply> {
  try {
    const call = readCall(tool, given);
    return call.ok ? await carryOut(call.value, caller) : failureAnswer(call.error, caller);
  } catch (error) {
    const failed = failureOf(error);
    if (failed.ok) throw error;
    return failureAnswer(failed.error, caller);
  }
}

/** Larger than any plan that a model writes at once, and small enough to be read at once. */
const MAX_ARGUMENT_CHARACTERS = 2_000_000;

function readCall(tool: ToolDeclaration, given: unknown): Result<Call> {
  if (!isRecord(given)) return usage("invalid-input", "The arguments must be an object.");
  if (JSON.stringify(given).length > MAX_ARGUMENT_CHARACTERS) {
    const message = `The arguments have more than ${MAX_ARGUMENT_CHARACTERS} characters. Send them in several calls.`;
    return usage("too-large", message);
  }
  const { action = ONLY, ...rest } = ONLY in tool.actions ? { action: ONLY, ...given } : given;
  const asks = typeof action === "string" && Object.hasOwn(tool.actions, action) ? tool.actions[action] : undefined;
  if (!asks)
    return usage("unknown-action", `${tool.name} needs an action: one of ${Object.keys(tool.actions).join(", ")}.`);
  const wanted = isPaged(tool) ? readWanted(rest) : ok({ from: 0, detail: false, input: rest });
  if (!wanted.ok) return wanted;
  const { input: named, ...paging } = wanted.value;
  const renamed = givenFields(named, asks.fields);
  if (!renamed.ok) return renamed;
  const input = renamed.value;
  const foreign = Object.keys(input).filter((field) => !asks.fields.includes(field));
  if (foreign.length > 0) return foreignFields(tool, String(action), asks, foreign);
  return ok({ asks, input, wanted: paging });
}

function readWanted({ from = 0, detail = false, ...input }: JsonObject): Result<Extent & { input: JsonObject }> {
  if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 0)
    return usage("invalid-input", "from must be a whole number, 0 or more.");
  if (typeof detail !== "boolean") return usage("invalid-input", "detail must be true or false.");
  return ok({ from, detail, input });
}

function foreignFields({ name }: ToolDeclaration, action: string, { fields }: ToolAction, foreign: readonly string[]) {
  const called = action === ONLY ? name : `${name} ${action}`;
  const takes =
    fields.length === 0 ? "It takes none." : `It takes ${fields.map((field) => shownField(field, fields)).join(", ")}.`;
  const named = foreign.map((field) => field.slice(0, 60)).join(", ");
  return usage("invalid-input", `${called} has no field ${named}. ${takes}`);
}

async function carryOut(call: Call, caller: ToolCaller): Promise<ToolReply> {
  const { asks, input, wanted } = call;
  const { operation: name, fixed } = asks;
  const operation = await loadVerb(name);
  const limit = asks.pages !== undefined && "limit" in operation.input.shape ? { limit: wanted.from + PAGE + 1 } : {};
  const filled = caller.claims.withToken({ ...limit, ...fixed, ...input }, "token" in operation.input.shape);
  const asked = await caller.app.ask(name, filled, caller.door).catch(failureOf);
  const persons = { name, input: { ...fixed, ...input } };
  if (!asked.ok && NEEDS_PERSON.has(asked.error.reason) && caller.person) {
    const decided = await askPerson(persons, caller.person, caller.door);
    if ("question" in decided) return decided.question;
    const { result } = decided;
    return result.ok ? toolAnswer(result.value, asks, wanted, caller) : refusal(result.error, persons, caller);
  }
  if (!asked.ok) return refusal(asked.error, persons, caller);
  if (operation.routes) return dispatch(asked.value as Routed, caller);
  caller.claims.keep(asked.value);
  if (operation.endsClaim) caller.claims.forget(input["reference"]);
  return toolAnswer(asked.value, asks, wanted, caller);
}

const NEEDS_PERSON: ReadonlySet<string> = new Set(["needs-person", "needs-yes"]);

function refusal(error: Failure, { name, input }: PersonsCall, caller: ToolCaller): CallToolResult {
  if (!NEEDS_PERSON.has(error.reason)) return failureAnswer(error, caller);
  const { notAsked } = caller;
  const message = notAsked === undefined ? error.message : `${error.message} ${notAsked.message}`;
  const next = [...(error.next ?? []), ...(notAsked?.next ?? [])];
  return failureAnswer({ ...error, message, next }, caller, [personsCommand(caller.app, name, input)]);
}

async function dispatch({ operation, input, asksFirst, summary }: Routed, caller: ToolCaller): Promise<ToolReply> {
  const given = withoutConsent(input);
  const found = toolFor(operation, Object.keys(given));
  const meant = anyStep(operation, given);
  if (!found || factsOf(operation).routes) {
    const message = "These words mean something that no tool does here.";
    return failureAnswer({ kind: "refused", reason: "no-tool", message, next: [meant] }, caller);
  }
  if (asksFirst) {
    const message = `These words mean: ${summary}. Nothing was done, because one undo does not take it back. If that is wanted, call it by name.`;
    return failureAnswer({ kind: "refused", reason: "needs-yes", message, next: [meant] }, caller);
  }
  return carryOut({ asks: found.asks, input: given, wanted: { from: 0, detail: false } }, caller);
}

// The tokens of the tasks that this session claimed. A model forgets them when its conversation is compacted; the server does not.

export class KeptClaims {
  readonly #tokens = new Map<string, string>();

  keep(output: unknown): void {
    for (const given of [output].flat()) {
      if (!isRecord(given)) continue;
      const { task, token } = given;
      if (isRecord(task) && typeof task["id"] === "string" && typeof token === "string")
        this.#tokens.set(task["id"].toUpperCase(), token);
    }
  }

  /** The input with the token of its task, if this session claimed it and the operation takes one. */
  withToken(input: JsonObject, takesToken: boolean): JsonObject {
    const { reference } = input;
    const token = typeof reference === "string" ? this.#tokens.get(reference.trim().toUpperCase()) : undefined;
    return takesToken && token !== undefined ? { ...input, token } : input;
  }

  forget(reference: unknown): void {
    if (typeof reference === "string") this.#tokens.delete(reference.trim().toUpperCase());
  }
}
