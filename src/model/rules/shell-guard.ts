// Which shell commands of an agent reach for what is a person's: a decision in a hidden environment, or the key that proves them.

export interface Guarded {
  /** The commands that only a person may give: `approve`, `level`. */
  readonly verbs: readonly string[];
  /** Variables that show that an agent asks. */
  readonly markers: readonly string[];
  /** The folder with the person's key; undefined if there is none. */
  readonly keyFolder: string | undefined;
}

/** No shell command of an agent that counts is longer. */
const MAX_COMMAND_CHARACTERS = 100_000;

const escaped = (words: readonly string[]): string =>
  words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");

const PROGRAM = "(?<![\\w-])(?:planwright|pw)(?![\\w-])";

/** It empties the environment, becomes somebody else, or makes a terminal of its own. */
const HIDES =
  /(?<![\w-])(?:env\s+(?:-|\S+=)|unset\s|exec\s+-\S*c|setsid\s|script\s|unbuffer\s|expect\s|tmux\s|screen\s|systemd-run\s|sudo\s|su\s|runuser\s|nsenter\s|unshare\s|at\s|batch\s|osascript\s)|PLANWRIGHT_(?:ACTOR|SECRET|CONFIG)=|--actor[\s=]/;

const KEY = /PLANWRIGHT_SECRET(?!\w)|\.config\/planwright(?![\w-])|XDG_CONFIG_HOME\}?"?\/planwright(?![\w-])/;

export function reachedFor(command: string, { verbs, markers, keyFolder }: Guarded): "decision" | "key" | null {
  const text = command.slice(0, MAX_COMMAND_CHARACTERS);
  if (KEY.test(text) || (keyFolder !== undefined && text.includes(keyFolder))) return "key";
  if (!new RegExp(`${PROGRAM}[^;&|\\n]{0,200}?\\s(?:${escaped(verbs)})(?![\\w-])`).test(text)) return null;
  const isUnmarked = new RegExp(`(?<!\\w)(?:${escaped(markers)})=`).test(text);
  return isUnmarked || HIDES.test(text) ? "decision" : null;
}
