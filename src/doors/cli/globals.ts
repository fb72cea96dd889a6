// The flags of every command. They may stand before or after it.

export type Globals = Readonly<ReturnType<typeof splitGlobals>>;

/** What the help says: the flag as you type it, and what it does. */
export const GLOBAL_FLAGS: readonly (readonly [flag: string, help: string])[] = [
  ["    --json", "answer in JSON: one object with ok and data or error"],
  ["    --as ACTOR", "who asks: human:NAME or agent:NAME"],
  ["-C, --workspace DIR", "work on the plan around this folder"],
  ["    --at OP", "look at the plan as it was after this operation"],
  ["-h, --help", "show this help"],
];

const SWITCHES: Readonly<Record<string, "json" | "help" | "version">> = {
  "--json": "json",
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

const VALUES: Readonly<Record<string, "actor" | "folder" | "at">> = {
  "--as": "actor",
  "--workspace": "folder",
  "-C": "folder",
  "--at": "at",
};

/** Nothing after `--` is a flag. A flag whose value is missing is left to the command to refuse, as is everything else (`words`). */
export function splitGlobals(all: readonly string[]) {
  const found = { json: false, help: false, version: false };
  const values: Partial<Record<"actor" | "folder" | "at", string>> = {};
  const words: string[] = [];
  for (let i = 0; i < all.length; i++) {
    const word = all[i] ?? "";
    if (word === "--") {
      words.push(...all.slice(i));
      break;
    }
    const [, name = word, inline] = /^(--[a-z]+)=(.*)$/s.exec(word) ?? [];
    const key = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
    const value = inline ?? all[i + 1];
    if (Object.hasOwn(SWITCHES, word)) found[SWITCHES[word] as keyof typeof found] = true;
    else if (key === undefined || value === undefined) words.push(word);
    else {
      values[key] = value;
      if (inline === undefined) i++;
    }
  }
  const { actor, folder, at } = values;
  return { ...found, actor, folder, at, words: words as readonly string[] };
}
