// Git's settings as text: reading a file of them without git, and writing one.

/** `name`: section and key in lower case, with the name between them as it is: `remote.Origin.url`. Null: a name without a value. */
export interface Setting {
  readonly name: string;
  readonly value: string | null;
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Reads as git does. What git would refuse is left out: git reads the same file, and says so. */
export function settingsInText(text: string): Setting[] {
  const found: Setting[] = [];
  let section = "";
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === "[") ({ section, at } = readSection(text, at + 1));
    else if (/[A-Za-z]/.test(char)) {
      const from = at;
      while (/[A-Za-z0-9-]/.test(text[at] ?? "")) at++;
      const key = text.slice(from, at).toLowerCase();
      while (text[at] === " " || text[at] === "\t") at++;
      let value: string | null = null;
      if (text[at] === "=") ({ value, at } = readValue(text, at + 1));
      found.push({ name: `${section}.${key}`, value });
    } else if (char === "#" || char === ";") at = endOfLine(text, at);
    else at++;
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** `core]`, `remote "origin"]`, or the old `branch.main]`. */
function readSection(text: string, from: number): { section: string; at: number } {
  let at = from;
  let name = "";
  let inner: string | undefined;
  for (; at < text.length && text[at] !== "]" && text[at] !== "\n"; at++) {
    if (inner === undefined && text[at] === '"') inner = "";
    else if (inner === undefined) name += text[at];
    else if (text[at] === '"') break;
    else inner += text[at] === "\\" ? (text[++at] ?? "") : text[at];
  }
  const close = text.indexOf("]", at);
  const end = endOfLine(text, at);
  const section = name.trim().toLowerCase();
  return {
    section: inner === undefined ? section : `${section}.${inner}`,
    at: close < 0 || close > end ? end : close + 1,
  };
}

function readValue(text: string, from: number): { value: string; at: number } {
  let at = from;
  let value = "";
  // How much of it is kept: blanks at the end count only in quotes.
  let kept = 0;
  let isQuoted = false;
  for (; at < text.length && (text[at] !== "\n" || isQuoted); at++) {
    const char = text[at] as string;
    const isBlank = !isQuoted && /\s/.test(char);
    if (!isQuoted && (char === "#" || char === ";")) return { value: value.slice(0, kept), at: endOfLine(text, at) };
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") {
      const next = text[++at] ?? "";
      if (next === "\r" && text[at + 1] === "\n") at++;
      else if (next !== "\n") value += ESCAPED[next] ?? next;
    } else if (!isBlank || value !== "") value += char;
    if (!isBlank) kept = value.length;
  }
  return { value: value.slice(0, kept), at };
}

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\b", "\\b")}"`;

/** Each with a heading of its own, which git reads as well. */
export function settingsText(settings: readonly Setting[]): string {
  const lines = settings.flatMap(({ name, value }) => {
    const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
    const inner = first === last ? "" : ` ${quoted(name.slice(first + 1, last))}`;
    const key = name.slice(last + 1);
    return [`[${name.slice(0, first)}${inner}]`, value === null ? `\t${key}` : `\t${key} = ${quoted(value)}`];
  });
  return `${lines.join("\n")}\n`;
}

/** Of a repository of our own making, whose commits have names of this length. */
export function leastSettings(commit: string, plain: Readonly<Record<string, string>>): Setting[] {
  const isLong = commit.length === 64;
  return [
    { name: "core.repositoryformatversion", value: isLong ? "1" : "0" },
    { name: "core.bare", value: "false" },
    ...Object.entries(plain).map(([name, value]) => ({ name, value })),
    ...(isLong ? [{ name: "extensions.objectformat", value: "sha256" }] : []),
  ];
}
