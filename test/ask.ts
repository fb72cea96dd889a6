// Asks a plan in memory for an operation, as every door does: the schema judges the input, and the declaration says who may ask.

import type { VerbName } from "../src/model/next-step.js";
import type { Result } from "../src/model/result.js";
import type { Context } from "../src/plan/base/context.js";
import { mayAsk } from "../src/verbs/app.js";
import { parseInput } from "../src/verbs/kit/schema.js";
import type { Session } from "../src/verbs/kit/session.js";
import type { InputOf, OutputOf } from "../src/verbs/kit/verb.js";
import { loadVerb } from "../src/verbs/list.js";

const sessionOf = (plan: Context): Session => ({
  ...plan,
  env: {},
  proof: { kind: "terminal" },
  isActorGiven: true,
  signal: new AbortController().signal,
  emit: () => undefined,
  load: loadVerb,
  engines: () => Promise.reject(new Error("A plan in memory has no engines.")),
});

export async function ask<Name extends VerbName>(
  plan: Context,
  name: Name,
  input: InputOf<Name>,
  more: Partial<Session> = {},
): Promise<Result<OutputOf<Name>>> {
  const operation = await loadVerb(name);
  if (operation.on === "folder") throw new Error(`${name} works on a folder.`);
  const parsed = parseInput(operation.input, input);
  const may = parsed.ok ? mayAsk(operation, plan.actor) : parsed;
  return (may.ok && parsed.ok ? await operation.run({ ...sessionOf(plan), ...more }, parsed.value) : may) as never;
}
