// Help is rendered from the declarations, so it cannot say what the program does not do.

import { type Argument, type Command, type Flag, GROUPS, type Group, type Style } from "./command.js";
import { COMMON, flagsOf } from "./parse.js";

const TITLES: Readonly<Record<Group, string>> = {
  planning: "Planning",
  making: "Making a plan by hand",
  deciding: "Deciding",
  working: "Working",
  looking: "Looking",
  tending: "Tending the tool",
};

const INTRO = "Plans that people approve and checks prove.";

export function renderOverview(commands: readonly Command[], style: Style): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 2;
  const lines = [INTRO, "", `${style.bold("Usage:")} planwright COMMAND [ARGUMENTS] [FLAGS]   (pw for short)`];
  for (const group of GROUPS) {
    const members = commands.filter((command) => command.group === group);
    if (members.length === 0) continue;
    lines.push("", style.bold(TITLES[group]));
    for (const { name, summary } of members) lines.push(`  ${style.cyan(name.padEnd(width))}${summary}`);
  }
  lines.push(
    "",
    "`planwright help COMMAND` explains one; `planwright init` is where to begin, `planwright plan` what comes next.",
  );
  return lines.join("\n");
}

const placeholder = ({ name, optional, many }: Argument): string => {
  const text = many ? `${name}...` : name;
  return optional ? `[${text}]` : text;
};

const usageLine = ({ name, arguments: args = [] }: Command): string =>
  ["planwright", name, ...args.map(placeholder), "[FLAGS]"].join(" ");

const flagLabel = (name: string, { short, value, type, multiple }: Flag): string => {
  const word = type === "boolean" ? "" : ` ${value ?? (type === "number" ? "N" : "TEXT")}`;
  return `${short === undefined ? "    " : `-${short}, `}--${name}${word}${multiple ? "..." : ""}`;
};

export function renderHelp(command: Command, style: Style): string {
  const rows = (entries: readonly (readonly [string, string])[]): string[] => {
    const width = Math.max(...entries.map(([label]) => label.length)) + 2;
    return entries.map(([label, text]) => `  ${style.cyan(label.padEnd(width))}${text}`);
  };
  const lines = [`${command.summary}.`];
  if (command.description !== undefined) lines.push("", command.description);
  lines.push("", `${style.bold("Usage:")} ${usageLine(command)}`);
  if (command.aliases?.length) lines.push(`${style.bold("Also:")}  ${command.aliases.join(", ")}`);
  const args = command.arguments ?? [];
  if (args.length > 0) lines.push("", style.bold("Arguments"), ...rows(args.map((a) => [placeholder(a), a.help])));
  const own = Object.entries(flagsOf(command)).filter(([name]) => !(name in COMMON));
  const label = (entries: [string, Flag][]): (readonly [string, string])[] =>
    entries.map(([name, flag]) => [flagLabel(name, flag), flag.help]);
  if (own.length > 0) lines.push("", style.bold("Flags"), ...rows(label(own)));
  lines.push("", style.bold("Flags of every command"), ...rows(label(Object.entries(COMMON))));
  lines.push("", style.bold(command.examples.length > 1 ? "Examples" : "Example"));
  for (const { run, does } of command.examples) lines.push(`  ${style.dim("$")} ${run}`, `      ${does}`);
  return `${lines.join("\n")}\n`;
}

/** The same, as data. */
export const describeCommand = (command: Command): object => ({
  name: command.name,
  aliases: command.aliases ?? [],
  group: command.group,
  summary: command.summary,
  usage: usageLine(command),
  arguments: command.arguments ?? [],
  flags: flagsOf(command),
  examples: command.examples,
});
