// What may come next on a command line that is being typed: commands, flags, values, and ids with their titles.

import type { VerbName } from "../../model/next-step.js";
import type { App } from "../../verbs/app.js";
import { allFacts, factsOf } from "../../verbs/kit/facts.js";
import type { CliField } from "../../verbs/kit/read-words.js";
import { tellApart } from "../../verbs/kit/same-words.js";
import { allSpellings, findSpelling, flagOfVariant, type Spelling, variantsOf } from "../../verbs/kit/spell.js";
import { loadVerb } from "../../verbs/list.js";
import { describe, LOCAL_COMMANDS } from "./describe.js";
import { GLOBAL_FLAGS } from "./globals.js";

export interface Candidate {
  readonly word: string;
  readonly help: string;
}

const GLOBALS: readonly Candidate[] = GLOBAL_FLAGS.map(([flag, help]) => ({
  word: /--\w+/.exec(flag)?.[0] ?? flag,
  help,
}));

/** `words`: everything after the program's name; the last one is being typed and may be empty. */
export async function candidates(words: readonly string[], app: App): Promise<Candidate[]> {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const found = [...(await commandWords(before, typed)), ...(await argumentWords(before, typed, app))];
  return found.filter(({ word }) => word.toLowerCase().startsWith(typed.toLowerCase()));
}

/** First words, and second words of a noun. Hidden ones only when their beginning is typed: then you know them. */
async function commandWords(before: readonly string[], typed: string): Promise<Candidate[]> {
  if (before.length > 1) return [];
  const [command] = before;
  const prefix = command === undefined ? "" : `${command} `;
  const found = new Map<string, string>();
  const isMeant = ({ words, when, hidden }: Spelling): boolean =>
    words.startsWith(prefix) && !when && (typed !== "" || !hidden);
  for (const spelling of allSpellings().filter(isMeant)) {
    const [word = ""] = spelling.words.slice(prefix.length).split(" ");
    const isWhole = prefix + word === spelling.words;
    if (isWhole || !found.has(word)) found.set(word, isWhole ? ((await describe(spelling))?.summary ?? "") : "");
  }
  if (prefix === "") for (const { words, summary } of LOCAL_COMMANDS) found.set(words, summary);
  if (command === "completion") for (const shell of SHELLS) found.set(shell, "");
  return [...found].map(([word, help]) => ({ word, help }));
}

async function argumentWords(before: readonly string[], typed: string, app: App): Promise<Candidate[]> {
  const typedCommand = findSpelling(before);
  const [found] = typedCommand ? await tellApart(typedCommand, app) : [];
  const described = found && (await describe(found.spelling));
  if (!described) return typed.startsWith("-") ? [...GLOBALS] : [];
  const { flags, positional } = described.fields;
  const last = before.at(-1) ?? "";
  const awaited = flags.find(({ flag, type }) => type !== "boolean" && last === `--${flag}`);
  if (awaited) return valuesOf(awaited, app);
  const variants = found.spelling.when ? [] : variantsOf(found.spelling.words);
  if (typed.startsWith("-")) {
    const more = variants.flatMap((each) =>
      flagOfVariant(each).map((word) => ({ word, help: factsOf(each.operation).summary })),
    );
    return [...flags.map(({ flag, help }) => ({ word: `--${flag}`, help })), ...more, ...GLOBALS];
  }
  // Keys of other things than nodes are many: they are looked up once their first letters are typed.
  const byKey = variants.find(({ when }) => when?.keys?.some((key) => typed !== "" && beginsWith(key, typed)));
  const taken = byKey ? ((await describe(byKey))?.fields.positional ?? positional) : positional;
  const field = taken.find(({ many }) => many) ?? taken[Math.min(found.rest.length, taken.length - 1)];
  return field ? valuesOf(field, app) : [];
}

/** Either may be the longer one. */
const beginsWith = (key: string, typed: string): boolean => {
  const upper = typed.toUpperCase();
  return key.startsWith(upper) || upper.startsWith(`${key}-`);
};

async function valuesOf({ choices, names }: CliField, app: App): Promise<Candidate[]> {
  if (choices.length > 0) return choices.map((word) => ({ word, help: "" }));
  const lister = allFacts().find(({ lists }) => lists !== undefined && lists === names);
  try {
    // The shell completes files, which no verb lists.
    return lister ? await keysFrom(lister.name, app) : [];
  } catch {
    // Without a plan there is nothing to complete.
    return [];
  }
}

type ListedItem = { readonly id: string } & Partial<Record<"title" | "question" | "task" | "text", string>>;

const MAX_KEYS = 200;

async function keysFrom(name: VerbName, app: App): Promise<Candidate[]> {
  const takesLimit = "limit" in (await loadVerb(name)).input.shape;
  const listed = await app.ask(name, takesLimit ? { limit: MAX_KEYS } : {});
  if (!listed.ok) return [];
  const lists = [listed.value, ...Object.values(Object(listed.value))];
  const all = (lists.find((each) => Array.isArray(each)) ?? []) as readonly ListedItem[];
  return all
    .slice(0, MAX_KEYS)
    .map(({ id, title, question, task, text }) => ({ word: id, help: title ?? question ?? task ?? text ?? "" }));
}

// Completion scripts. A script asks the program itself what may come next, so it never knows less than the program.
export const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** The word with which a script asks; each line of the answer is a candidate, a tab, and what it is. */
export const ASK = "completion-words";

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_planwright() {
  local IFS=$'\\n' line
  # As typed, a word may have backslashes before signs that mean something to the shell.
  local -a typed=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  typed=("\${typed[@]//\\\\/}")
  COMPREPLY=()
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY+=("$(printf %q "\${line%%$'\\t'*}")")
  done < <("\${COMP_WORDS[0]}" ${ASK} -- "\${typed[@]}" 2>/dev/null)
}
complete -o default -F _planwright planwright pw
`,
  zsh: `#compdef planwright pw
_planwright() {
  local line
  local -a found
  while IFS= read -r line; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("$words[1]" ${ASK} -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe 'planwright' found; else _files; fi
}
compdef _planwright planwright pw
`,
  fish: `function __planwright_words
  set -l typed (commandline -opc) (commandline -ct)
  $typed[1] ${ASK} -- $typed[2..-1] 2>/dev/null
end
complete -c planwright -a '(__planwright_words)'
complete -c pw -a '(__planwright_words)'
`,
};

export const completionScript = (shell: Shell): string => SCRIPTS[shell];
