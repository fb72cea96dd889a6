// Reads a command line as a shell would split it, and runs nothing: which programs it starts, with which words,
// and where it writes. It need not be exact; it must not be fooled by quotes, pipes or a command inside a command.

export interface ShellCommand {
  /** The program; a word with `$` in it where only a shell could know. */
  readonly name: string;
  readonly args: readonly string[];
  /** Files that its output goes to. */
  readonly writes: readonly string[];
  /** It reads what the command before it prints. */
  readonly piped: boolean;
  /** What runs inside it: substitutions, and the script of `sh -c`. */
  readonly inner: readonly ShellCommand[];
}

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"]);

export const isShell = (name: string): boolean => SHELLS.has(name.replace(/^.*\//, ""));

/** A check that a person can read nests no deeper. */
const DEPTH = 20;

/** Every command of the line, those inside substitutions and `sh -c` included. */
export function readCommands(line: string, depth = 0): ShellCommand[] {
  if (depth > DEPTH) return [];
  const found: ShellCommand[] = [];
  for (const raw of new Scanner(line, depth).scan()) {
    const words = unwrap(raw.words);
    const [name, ...args] = words;
    const script = name === undefined ? undefined : scriptOf(name, args);
    const scripted = script === undefined ? [] : readCommands(script, depth + 1);
    found.push(...raw.inner, ...scripted);
    if (name !== undefined || raw.writes.length > 0) {
      found.push({ name: name ?? "", args, writes: raw.writes, piped: raw.piped, inner: [...raw.inner, ...scripted] });
    }
  }
  return found;
}

/** What `sh -c` and `eval` are given to run. */
function scriptOf(name: string, args: readonly string[]): string | undefined {
  if (name === "eval") return args.join(" ");
  if (!isShell(name)) return undefined;
  const flag = args.findIndex((word) => /^-[abd-z]*c[a-z]*$/.test(word));
  return flag < 0 ? undefined : args[flag + 1];
}

const HEADS = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"]);
const ENDS = new Set(["fi", "done", "esac", "}", "for", "case", "select", "function"]);
/** Programs that start another, and how many words of their own they take before it. */
const STARTERS: ReadonlyMap<string, number> = new Map([
  ..."env nice nohup exec command builtin xargs setsid stdbuf".split(" ").map((name): [string, number] => [name, 0]),
  ["timeout", 1],
]);
/** Options of such programs that have their value in the next word. */
const VALUED = new Set(["-n", "-k", "-s", "-u", "-I", "-L", "-P", "-C"]);

const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*\+?=/.test(word);

/** Without assignments, words of the language, and programs that only start another one. */
function unwrap(all: readonly string[]): readonly string[] {
  let words = all;
  for (;;) {
    const [first] = words;
    if (first === undefined || ENDS.has(first)) return [];
    const own = STARTERS.get(first);
    if (HEADS.has(first) || isAssignment(first)) words = words.slice(1);
    else if (own === undefined) return words;
    else {
      const after = afterOptions(words, own);
      // `command -v x` asks, `env` alone prints: nothing is started.
      if (after.length === 0 || (first === "command" && words[1]?.startsWith("-"))) return words;
      words = after;
    }
  }
}

function afterOptions(words: readonly string[], own: number): readonly string[] {
  let at = 1;
  while (at < words.length && (words[at]?.startsWith("-") || isAssignment(words[at] as string))) {
    at += VALUED.has(words[at] as string) ? 2 : 1;
  }
  return words.slice(at + own);
}

interface RawCommand {
  words: string[];
  writes: string[];
  inner: ShellCommand[];
  piped: boolean;
}

const blank = (piped: boolean): RawCommand => ({ words: [], writes: [], inner: [], piped });

class Scanner {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;
  #word: string | undefined;
  #command = blank(false);
  #redirect: ">" | "<" | undefined;
  readonly #commands: RawCommand[] = [];

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  scan(): RawCommand[] {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at] as string);
    this.#endCommand(false);
    return this.#commands;
  }

  #step(char: string): void {
    if (char === "'") this.#literal();
    else if (char === '"') this.#quoted();
    else if (char === "\\") this.#escaped();
    else if (char === "$" || char === "`") this.#expand(char);
    else if (char === "#" && this.#word === undefined) this.#at = this.#lineEnd();
    else if (char === ">" || char === "<") this.#redirection(char);
    else if (char === " " || char === "\t") this.#blank();
    else if ("\n;&|()".includes(char)) this.#operator(char);
    else this.#take(char);
  }

  #take(text: string, length = text.length): void {
    this.#word = (this.#word ?? "") + text;
    this.#at += length;
  }

  #blank(): void {
    this.#at++;
    this.#endWord();
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }

  #literal(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    const text = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#take(text, text.length + 2);
  }

  #escaped(): void {
    const next = this.#text[this.#at + 1] ?? "";
    this.#take(next === "\n" ? "" : next, 2);
  }

  #quoted(): void {
    this.#take("", 1);
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at] as string;
      if (char === "\\") this.#escaped();
      else if (char === "$" || char === "`") this.#expand(char);
      else this.#take(char);
    }
    this.#at++;
  }

  /** A substitution is read as commands of its own; its value is not known. */
  #expand(char: string): void {
    if (char === "`") {
      const end = this.#text.indexOf("`", this.#at + 1);
      this.#substitute(this.#at + 1, end < 0 ? this.#text.length : end);
    } else if (this.#text[this.#at + 1] === "(") this.#substitute(this.#at + 2, this.#closing(this.#at + 2));
    else this.#take(char);
  }

  #substitute(from: number, to: number): void {
    this.#command.inner.push(...readCommands(this.#text.slice(from, to), this.#depth + 1));
    this.#at = to;
    this.#take("$()", 1);
  }

  #closing(from: number): number {
    let open = 1;
    let quote = "";
    for (let at = from; at < this.#text.length; at++) {
      const char = this.#text[at] as string;
      if (char === "\\") at++;
      else if (quote !== "") quote = char === quote ? "" : quote;
      else if (char === "'" || char === '"') quote = char;
      else if (char === "(") open++;
      else if (char === ")" && --open === 0) return at;
    }
    return this.#text.length;
  }

  #redirection(char: ">" | "<"): void {
    if (this.#text[this.#at + 1] === "(") {
      this.#substitute(this.#at + 2, this.#closing(this.#at + 2));
      return;
    }
    if (this.#word !== undefined && /^(\d+|&)$/.test(this.#word)) this.#word = undefined;
    this.#endWord();
    while (/[><&|]/.test(this.#text[this.#at] ?? "")) this.#at++;
    this.#redirect = char;
  }

  #operator(char: string): void {
    if (char === "&" && this.#text[this.#at + 1] === ">") {
      this.#at++;
      this.#redirection(">");
      return;
    }
    const double = this.#text[this.#at + 1] === char && (char === "&" || char === "|" || char === ";");
    this.#at += double ? 2 : 1;
    this.#endCommand(char === "|" && !double);
  }

  #endWord(): void {
    const word = this.#word;
    this.#word = undefined;
    if (word === undefined) return;
    if (this.#redirect === ">") this.#command.writes.push(word);
    else if (this.#redirect === undefined) this.#command.words.push(word);
    this.#redirect = undefined;
  }

  #endCommand(piped: boolean): void {
    this.#endWord();
    this.#redirect = undefined;
    const { words, writes, inner } = this.#command;
    if (words.length > 0 || writes.length > 0 || inner.length > 0) this.#commands.push(this.#command);
    this.#command = blank(piped);
  }
}
