// Every command as data, from its spelling, its operation and its view: what help, completion and `help --json` show.

import { allFieldsOf, type CliField, type CliFields, FOCUS, takesNode, viewFlag } from "../../verbs/kit/read-words.js";
import { allSpellings, flagOfVariant, type Spelling, spell } from "../../verbs/kit/spell.js";
import { isVerb, loadVerb } from "../../verbs/list.js";

export type Described = Readonly<NonNullable<Awaited<ReturnType<typeof describe>>>>;

export async function describe(spelling: Spelling) {
  const { words, group, daily = null, hidden = false, operation } = spelling;
  if (!isVerb(operation)) return undefined;
  const verb = await loadVerb(operation);
  const declared = allFieldsOf(verb, spelling);
  const focus = takesNode(declared)
    ? Object.entries(FOCUS).map(([flag, help]) => viewFlag(spelling, flag, [help]))
    : [];
  const isNew = ({ flag }: CliField): boolean => !declared.flags.some((field) => field.flag === flag);
  const fields = { ...declared, flags: [...declared.flags, ...focus.filter(isNew)] };
  const { summary, description = "", who, examples } = verb;
  return {
    words,
    operation,
    group,
    daily,
    hidden,
    /** Another command has the same words: its help says this too. */
    variant: spelling.when !== undefined,
    summary,
    description,
    who,
    fields,
    usage: ["planwright", words, ...argumentsOf(spelling, fields), ...flagOfVariant(spelling), "[FLAGS]"].join(" "),
    examples: examples.map(({ input, does }) => ({ command: spell({ operation, input }), does })),
  };
}

export const placeholder = ({ label, many, required }: CliField): string => {
  const text = many ? `${label}...` : label;
  return required ? text : `[${text}]`;
};

export async function describeAll(): Promise<Described[]> {
  const all: Described[] = [];
  for (const spelling of allSpellings().filter(({ hidden }) => !hidden)) {
    const described = await describe(spelling);
    if (described) all.push(described);
  }
  return all;
}

/** What tells verbs with the same words apart stands there: `diff RUN-N`. */
function argumentsOf({ when }: Spelling, { positional }: CliFields): string[] {
  const [first, ...others] = positional.map(placeholder);
  if (first === undefined) return [];
  const keys = when?.keys?.map((key) => `${key}-N`).join("|");
  return [keys === undefined ? first : `${keys}${first.includes("...") ? "..." : ""}`, ...others];
}

export interface CommandPage extends Pick<Described, "description" | "usage" | "examples"> {
  readonly flags: readonly (readonly [flag: string, help: string])[];
}

interface LocalCommand {
  readonly words: string;
  readonly summary: string;
  readonly daily?: number;
  /** What its help says, if it takes more than a word. */
  readonly page?: CommandPage;
}

/** What the command line itself can do, without asking the application. */
export const LOCAL_COMMANDS: readonly LocalCommand[] = [
  { words: "help", summary: "Show the commands, or explain one", daily: 99 },
  { words: "completion", summary: "Print the completion script of a shell" },
  {
    words: "mcp",
    summary: "Serve the plan to coding agents as MCP tools",
    page: {
      description:
        "Speaks the Model Context Protocol on standard input and output until the client closes them. Coding agents start it themselves: docs/agents.md shows how to register it with each of them. A client is always an agent: it cannot approve, answer, land, accept or waive.",
      usage: "planwright mcp [--http [PORT]]",
      flags: [
        [
          "--http [PORT]",
          "serve on 127.0.0.1 instead, to clients that send the token: PLANWRIGHT_MCP_TOKEN, or a new one that is printed",
        ],
      ],
      examples: [{ command: "claude mcp add planwright -- planwright mcp", does: "registers it with Claude Code" }],
    },
  },
  {
    words: "board",
    summary: "See the plan and decide in the browser",
    daily: 6.5,
    page: {
      description:
        "Serves a page on this machine only, opens it, and goes on until Ctrl-C. It prints a code that you type in the page, once for each browser, within 10 minutes. Press Enter for another one. If a board of yours runs already, it prints a code for that one. What you do there is done in your name and signed by a key of that browser. The command browsers lists them.",
      usage: "planwright board [--no-open] [--port N] [--read-only] [--code]",
      flags: [
        ["--no-open", "print the address and open no browser"],
        [
          "--port N",
          "listen on this port of 127.0.0.1; otherwise one that stays the same for this workspace, if it is free",
        ],
        ["--read-only", "show everything and change nothing"],
        ["--code", "only print a new code for a board that runs, for another browser"],
      ],
      examples: [
        { command: "planwright board --read-only", does: "shows the plan without any button that changes it" },
      ],
    },
  },
  { words: "version", summary: "Show the version" },
];
