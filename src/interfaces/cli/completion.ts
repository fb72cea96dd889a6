// Shell completion, rendered from the declarations like the help: a flag that exists can be completed.

import type { Command, Flag } from "./command.js";
import { flagsOf } from "./parse.js";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const NAMES = ["planwright", "pw"];

const namesOf = (command: Command): string[] => [command.name, ...(command.aliases ?? [])];

const flagList = (command: Command): [name: string, flag: Flag][] => Object.entries(flagsOf(command));

/** Single quotes hold everything but themselves. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** What a shell would take for something else, such as `<`, with a backslash before it. */
const escape = (word: string): string => word.replace(/[^\w@%+=:,./-]/g, "\\$&");

function bash(commands: readonly Command[]): string {
  const words = (choices: readonly string[] = []): string => choices.map(escape).join(" ");
  const flagCase = (command: Command): string =>
    `    ${namesOf(command).join("|")}) words=${quote(
      flagList(command)
        .map(([name]) => `--${name}`)
        .join(" "),
    )} ;;`;
  const valueCases = commands.flatMap((command) =>
    flagList(command).flatMap(([name, { choices, type }]) => {
      if (type === "boolean") return [];
      const patterns = namesOf(command).map((word) => `${word}:--${name}`);
      return [`    ${patterns.join("|")}) words=${quote(words(choices))} ;;`];
    }),
  );
  return `_planwright() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quote(commands.flatMap(namesOf).join(" "))}
  else
    case "\${COMP_WORDS[1]}" in
${commands.map((command) => `  ${flagCase(command)}`).join("\n")}
    esac
    case "\${COMP_WORDS[1]}:$prev" in
${valueCases.map((line) => `  ${line}`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  # What bash puts into the line must be read as a word again.
  local i
  for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=$(printf %q "\${COMPREPLY[i]}"); done
}
complete -o default -F _planwright ${NAMES.join(" ")}
`;
}

function zsh(commands: readonly Command[]): string {
  const plain = (text: string): string => text.replace(/[[\]:\\]/g, "\\$&");
  const spec = ([name, flag]: [string, Flag]): string => {
    const value = flag.type === "boolean" ? "" : `:${plain(flag.value ?? "value")}:${valuesFor(flag)}`;
    return quote(`${flag.multiple ? "*" : ""}--${name}[${plain(flag.help)}]${value}`);
  };
  const valuesFor = ({ choices, value }: Flag): string => {
    if (choices) return `(${choices.map(escape).join(" ")})`;
    return /PATH|FILE|DIR/.test(value ?? "") ? "_files" : "";
  };
  const described = commands.map((command) => `    ${quote(`${command.name}:${plain(command.summary)}`)}`);
  const cases = commands.map(
    (command) =>
      `    ${namesOf(command).join("|")}) _arguments ${flagList(command).map(spec).join(" ")} '*:argument:_files' ;;`,
  );
  return `#compdef ${NAMES.join(" ")}
_planwright() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _planwright ${NAMES.join(" ")}
`;
}

function fish(commands: readonly Command[]): string {
  // Fish knows two escapes inside single quotes.
  const quoteFish = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const lines = commands.flatMap((command) => {
    const inside = quoteFish(`__fish_seen_subcommand_from ${namesOf(command).join(" ")}`);
    const flags = flagList(command).map(([name, flag]) => {
      const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
      const value = flag.type === "boolean" ? "" : " -r";
      const choices = flag.choices ? ` -f -a ${quoteFish(flag.choices.map(escape).join(" "))}` : "";
      return `complete -c planwright -n ${inside} -l ${name}${short}${value}${choices} -d ${quoteFish(flag.help)}`;
    });
    const name = `complete -c planwright -f -n __fish_use_subcommand -a ${command.name} -d ${quoteFish(command.summary)}`;
    return [name, ...flags];
  });
  return `${lines.join("\n")}\ncomplete -c pw -w planwright\n`;
}

const RENDER: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = { bash, zsh, fish };

export const renderCompletion = (shell: Shell, commands: readonly Command[]): string => RENDER[shell](commands);
