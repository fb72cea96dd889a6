// The answer of an operation as JSON, the same on the command line and over HTTP. Steps in it, however deep, get what a program
// needs to take them: who may, and the command to type.

import type { NextStep } from "../model/next-step.js";
import type { Failure } from "../model/result.js";
import type { App, OfferedStep } from "./app.js";
import { spell } from "./kit/spell.js";

export const answerEnvelope = (app: App, output: unknown) => ({ ok: true as const, data: withCommands(app, output) });

export const failureEnvelope = (app: App, { reason, message, details, next = [] }: Failure) => ({
  ok: false as const,
  error: { reason, message, details: details ?? null, next: app.offer(next).map(toJson) },
});

/** What removes something is never offered as a command to copy. */
function toJson(step: OfferedStep): object {
  const { operation, input, needs, who, destructive } = step;
  return { operation, input, needs, who, ...(destructive ? { destructive } : { command: spell(step) }) };
}

function withCommands(app: App, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((each) => withCommands(app, each));
  const entries = Object.entries(value).map(([key, inner]) => {
    const isNext = key === "next" && isSteps(inner);
    return [key, isNext ? app.offer(inner).map(toJson) : withCommands(app, inner)] as const;
  });
  return Object.fromEntries(entries);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isSteps = (value: unknown): value is readonly NextStep[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => isObject(each) && "operation" in each && "input" in each);
