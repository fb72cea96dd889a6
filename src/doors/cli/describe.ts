// Every command as data, from its spelling, its operation and its view: what help, completion and `help --json` show.

import { type CliField, type CliFields, cliFieldsOf, viewFlag } from "../../verbs/kit/fields.js";
import { FOCUS, takesNode } from "../../verbs/kit/read-words.js";
import { SPELLINGS, type Spelling, spell } from "../../verbs/kit/spell.js";
import type { Group, Verb } from "../../verbs/kit/verb.js";
import { isVerb, loadVerb } from "../../verbs/list.js";

export interface Described {
  readonly words: string;
  readonly operation: string;
  readonly group: Group;
  readonly daily: number | null;
  readonly hidden: boolean;
  readonly summary: string;
  readonly description: string;
  readonly who: Verb["who"];
  readonly usage: string;
  readonly fields: CliFields;
  readonly examples: readonly { readonly command: string; readonly does: string }[];
}

export async function describe(spelling: Spelling): Promise<Described | undefined> {
  const { words, group, daily = null, hidden = false, operation: name } = spelling;
  if (!isVerb(name)) return undefined;
  const verb = await loadVerb(name);
  const declared = cliFieldsOf(verb, spelling);
  const ofView = [
    ...Object.entries(verb.inputs ?? {}).map(([flag, help]) => viewFlag(spelling, flag, help)),
    ...Object.entries(verb.flags ?? {}).map(([flag, help]) => viewFlag(spelling, flag, [help])),
  ];
  const focus = takesNode(declared)
    ? Object.entries(FOCUS).map(([flag, help]) => viewFlag(spelling, flag, [help]))
    : [];
  const isNew = ({ flag }: CliField): boolean => !declared.flags.some((field) => field.flag === flag);
  const fields = { ...declared, flags: [...declared.flags, ...[...ofView, ...focus].filter(isNew)] };
  const { summary, description = "", who, examples } = verb;
  return {
    words,
    operation: name,
    group,
    daily,
    hidden,
    summary,
    description,
    who,
    fields,
    usage: ["planwright", words, ...fields.positional.map(placeholder), "[FLAGS]"].join(" "),
    examples: examples.map(({ input, does }) => ({ command: spell({ operation: name, input }), does })),
  };
}

export const placeholder = ({ label, many, required }: CliField): string => {
  const text = many ? `${label}...` : label;
  return required ? text : `[${text}]`;
};

/** Those that are shown, in the order of the table. */
export async function describeAll(): Promise<Described[]> {
  const all: Described[] = [];
  for (const spelling of SPELLINGS.filter(({ hidden }) => !hidden)) {
    const described = await describe(spelling);
    if (described) all.push(described);
  }
  return all;
}

export interface LocalCommand {
  readonly words: string;
  readonly summary: string;
  readonly daily?: number;
  /** What its help says, if it takes more than a word. */
  readonly page?: {
    readonly description: string;
    readonly usage: string;
    readonly flags: readonly (readonly [flag: string, help: string])[];
    readonly example: readonly [command: string, does: string];
  };
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
      example: ["claude mcp add planwright -- planwright mcp", "registers it with Claude Code"],
    },
  },
  {
    words: "board",
    summary: "See the plan and decide in the browser",
    daily: 6.5,
    page: {
      description:
        "Serves a page on this machine only, opens it, and goes on until Ctrl-C. It prints a code that you type in the page: good for one sign-in within 10 minutes. Press Enter for another one. If a board of yours runs already, it prints a code for that one. What you do there is done in your name, after you confirmed once in the page that it is you.",
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
      example: ["planwright board --read-only", "shows the plan without any button that changes it"],
    },
  },
  { words: "version", summary: "Show the version" },
];
