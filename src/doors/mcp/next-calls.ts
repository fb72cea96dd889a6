// What to do next, as calls of tools. What only a person may do, and this client cannot ask a person for, is a command for another
// terminal; what gives something up is only described.

import { anyStep, type NextStep } from "../../model/next-step.js";
import type { App, OfferedStep } from "../../verbs/app.js";
import { spell } from "../../verbs/kit/spell.js";
import { cleaned } from "./shorten.js";
import { ONLY, toolFor } from "./tools.js";

export interface NextCall {
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** To type in another terminal. */
  readonly command?: string;
  readonly who?: "person";
  readonly does?: string;
}

/** Confirmations are a person's: no tool takes them, and a terminal asks for them itself. */
const CONSENT: ReadonlySet<string> = new Set(["yes", "seen"]);

export const withoutConsent = (input: NextStep["input"]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !CONSENT.has(field)));

export async function nextCalls(app: App, steps: readonly NextStep[], canAskPerson: boolean): Promise<NextCall[]> {
  return (await app.offer(steps)).map((offered) => callOf(offered, canAskPerson));
}

function callOf(offered: OfferedStep, canAskPerson: boolean): NextCall {
  const { operation, who, summary, destructive, needs = [] } = offered;
  const input = withoutConsent(offered.input);
  const isPersons = who === "person" || Object.keys(input).length < Object.keys(offered.input).length;
  if (isPersons && !canAskPerson) return commandFor({ ...offered, input }, destructive, summary);
  const found = toolFor(operation, [...Object.keys(input), ...needs]);
  if (!found) return commandFor({ ...offered, input }, destructive, summary);
  const { tool, action, asks } = found;
  const given = Object.entries(input).filter(([field]) => !(field in (asks.fixed ?? {})));
  return {
    tool: tool.name,
    arguments: {
      ...(action !== ONLY && { action }),
      ...Object.fromEntries(given),
      ...Object.fromEntries(needs.map((field) => [field, `<${field}>`])),
    },
    ...(summary !== "" && { does: summary }),
  };
}

function commandFor(offered: NextStep, destructive: boolean, does: string): NextCall {
  return destructive
    ? { does, who: "person" }
    : { command: spell(offered), who: "person", ...(does !== "" && { does }) };
}

/** The command with which a person does, in a terminal, what a client asked for. */
export async function personsCommand(app: App, operation: NextStep["operation"], input: object): Promise<NextCall> {
  const [offered] = await app.offer([anyStep(operation, withoutConsent({ ...input }))]);
  if (!offered) return {};
  return commandFor(offered, offered.destructive, offered.summary);
}

/** One line for a model: `complete {"reference":"TASK-1"}`. */
export function callLine({ tool, arguments: given, command, does }: NextCall): string {
  if (tool !== undefined) return `${tool} ${JSON.stringify(given)}`;
  if (command !== undefined) return `A person types in another terminal: ${cleaned(command)}`;
  return `A person decides in another terminal: ${does ?? ""}`;
}
