// How an agent reads what its prompt only names: a tool beside `submit`, which gives a text by its name, page by page. It
// works wherever `submit` does, also where an agent may run no command.

/** The text of that name, or undefined if nothing is called so. */
export type LookUp = (name: string) => string | undefined;

export const LOOK_UP = {
  name: "look_up",
  description: "Reads what the prompt names and does not show whole.",
  schema: {
    type: "object",
    properties: {
      name: { type: "string", description: "The name or the id that the prompt gives." },
      find: { type: "string", description: "Begin at the first line that has these words." },
      from: { type: "integer", minimum: 0, description: "Begin at this character; the answer says where it goes on." },
    },
    required: ["name"],
  },
} as const;

/** Agents cut off what is much longer than this, in places of their own choice. */
const PAGE = 8_000;

export interface LookUpAnswer {
  readonly text: string;
  readonly isError: boolean;
}

const problem = (text: string): LookUpAnswer => ({ text, isError: true });

/** A whole text if it is short, else a page of it and where the next one begins. */
export function answerLookUp(lookUp: LookUp, input: unknown): LookUpAnswer {
  const { name, find, from } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const called = typeof name === "string" ? name.trim() : "";
  const text = called === "" ? undefined : lookUp(called);
  if (text === undefined)
    return problem(`Nothing is called "${called.slice(0, 60)}". Use a name that the prompt gives.`);
  const start = typeof from === "number" && from > 0 ? Math.floor(from) : 0;
  if (start > text.length) return problem(`It ends at character ${text.length}.`);
  const at = typeof find === "string" && find !== "" ? text.indexOf(find, start) : start;
  if (at < 0) return problem(`"${String(find).slice(0, 60)}" does not stand there after character ${start}.`);
  const begin = at === start ? start : Math.max(start, text.lastIndexOf("\n", at) + 1);
  const end = Math.min(text.length, begin + PAGE);
  if (begin === 0 && end === text.length) return { text, isError: false };
  const more = end < text.length ? ` Go on with from: ${end}.` : "";
  return {
    text: `Characters ${begin} to ${end} of ${text.length}.${more}\n\n${text.slice(begin, end)}`,
    isError: false,
  };
}
