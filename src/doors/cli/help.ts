// Help is rendered from the declarations, so it cannot say what the program does not do.

import type { CliField } from "../../verbs/kit/read-words.js";
import { allSpellings, variantsOf } from "../../verbs/kit/spell.js";
import { type Style, widest } from "../../verbs/kit/style.js";
import { GROUPS, type Group } from "../../verbs/kit/verb.js";
import { wrapText } from "../../verbs/text/fit.js";
import { type CommandPage, type Described, describe, describeAll, LOCAL_COMMANDS, placeholder } from "./describe.js";
import { GLOBAL_FLAGS } from "./globals.js";

const MAX_LINE_COLUMNS = 100;

/** The text beside a long label gets at least so many columns. */
const MIN_TEXT_COLUMNS = 30;

const INTRO = "Plan work, approve it, and let coding agents do it, verified by checks.";

const TITLES: Readonly<Record<Group, string>> = {
  plan: "Plan",
  decide: "Decide",
  work: "Work",
  look: "Look",
  record: "Write down",
  tool: "This tool",
  agents: "For agents",
};

type Row = readonly [label: string, text: string];

function rows(entries: readonly Row[], style: Style): string[] {
  const width = widest(entries.map(([label]) => label)) + 2;
  const columns = Math.max(Math.min(style.columns, MAX_LINE_COLUMNS) - width - 2, MIN_TEXT_COLUMNS);
  const indent = " ".repeat(width + 2);
  return entries.map(([label, text]) => {
    const [first = "", ...more] = wrapText(text, columns).split("\n");
    return [`  ${style.cyan(label.padEnd(width))}${first}`, ...more.map((line) => indent + line)].join("\n");
  });
}

const usage = (style: Style): string => `${style.bold("Usage:")} planwright COMMAND [ARGUMENTS] [FLAGS]   (or pw)`;

const byDay = (a: { daily?: number | null }, b: { daily?: number | null }): number => (a.daily ?? 0) - (b.daily ?? 0);

export async function dailyPage(style: Style): Promise<string> {
  const daily = [...(await describeAll()), ...LOCAL_COMMANDS].filter((each) => (each.daily ?? null) !== null);
  return [
    INTRO,
    "",
    usage(style),
    "",
    ...rows(
      daily.sort(byDay).map(({ words, summary }) => [words, summary]),
      style,
    ),
    "",
    "Start with `planwright init`. `planwright help COMMAND` explains one command; `planwright help --all` lists them all.",
  ].join("\n");
}

/** Subcommands stand in the line of their command, whose own help explains them. */
export async function allPage(style: Style): Promise<string> {
  const all = (await describeAll()).filter(({ variant }) => !variant);
  const grouped = GROUPS.flatMap((group) => {
    const own = all.filter((each) => each.group === group);
    const commandOf = ({ words }: Described): string => {
      const [first = ""] = words.split(" ");
      return own.some((each) => each.words === first) ? first : words;
    };
    const entries = [
      ...own.filter((each) => commandOf(each) === each.words),
      ...(group === "tool" ? LOCAL_COMMANDS : []),
    ]
      .sort((a, b) => (a.words < b.words ? -1 : 1))
      .map(({ words, summary }): Row => {
        const more = own.filter((each) => each.words !== words && commandOf(each) === words);
        const subcommands = more.map((each) => each.words.slice(words.length + 1)).sort();
        return [words, more.length === 0 ? summary : `${summary} (${subcommands.join(", ")})`];
      });
    return ["", style.bold(TITLES[group]), ...rows(entries, style)];
  });
  return [INTRO, "", usage(style), ...grouped].join("\n");
}

/** The subcommands of a noun; undefined if no command begins with this word. */
export async function nounPage(noun: string, style: Style): Promise<string | undefined> {
  const members = (await describeAll()).filter(({ words, variant }) => words.startsWith(`${noun} `) && !variant);
  if (members.length === 0) return undefined;
  return [
    `${style.bold("Usage:")} planwright ${noun} SUBCOMMAND`,
    "",
    ...rows(
      members.map(({ words, summary }) => [words, summary]),
      style,
    ),
  ].join("\n");
}

const flagLabel = ({ flag, short, type, label, many }: CliField): string => {
  const value = type === "boolean" ? "" : ` ${label}`;
  return `${short === undefined ? "    " : `-${short}, `}--${flag}${value}${many ? "..." : ""}`;
};

export async function commandPage(words: string, style: Style): Promise<string | undefined> {
  const local = LOCAL_COMMANDS.find((each) => each.words === words);
  if (local?.page) return pageLines({ summary: local.summary, ...local.page }, style).join("\n");
  if (local) return `${local.summary}.\n\n${style.bold("Usage:")} planwright ${words}`;
  const spelling = allSpellings().find((each) => each.words === words);
  const described = spelling && (await describe(spelling));
  if (!described) return undefined;
  const variants = await Promise.all(variantsOf(words).map(describe));
  const more = await nounPage(words, style);
  return [
    ...commandLines(described, style),
    ...variants.flatMap((each) => (each ? ["", "", ...commandLines(each, style)] : [])),
    ...(more === undefined ? [] : ["", style.bold("Subcommands"), more]),
  ].join("\n");
}

const section = (title: string, entries: readonly Row[], style: Style): string[] =>
  entries.length === 0 ? [] : ["", style.bold(title), ...rows(entries, style)];

function commandLines({ who, fields, variant, ...described }: Described, style: Style): string[] {
  const page = {
    ...described,
    arguments: fields.positional.map((field): Row => [placeholder(field), helpOf(field)]),
    flags: fields.flags.map((field): Row => [flagLabel(field), helpOf(field)]),
    globals: variant ? [] : GLOBAL_FLAGS,
    forPerson: who === "person",
  };
  return pageLines(page, style);
}

interface Page extends CommandPage {
  readonly summary: string;
  readonly arguments?: readonly Row[];
  readonly globals?: readonly Row[];
  readonly forPerson?: boolean;
}

function pageLines(page: Page, style: Style): string[] {
  const { summary, description, examples, forPerson = false } = page;
  return [
    `${summary}.${forPerson ? " Only a person can do this." : ""}`,
    ...(description === "" ? [] : ["", wrapText(description, Math.min(style.columns, MAX_LINE_COLUMNS))]),
    "",
    `${style.bold("Usage:")} ${page.usage}`,
    ...section("Arguments", page.arguments ?? [], style),
    ...section("Flags", page.flags, style),
    ...section("Flags of every command", page.globals ?? [], style),
    "",
    style.bold(examples.length > 1 ? "Examples" : "Example"),
    ...examples.flatMap(({ command, does }) => [`  ${style.dim("$")} ${command}`, `      ${does}`]),
  ];
}

const helpOf = ({ help, choices: [first, ...others] }: CliField): string =>
  first === undefined || help.includes(first) ? help : `${help}: ${[first, ...others].join(", ")}`;
