// Reads from what compilers, linters, test runners and stack traces say which files it is about. No two tools say it in the
// same way, so this looks for what they share: a path, with a line after it or a word of failure beside it.

/** Colours, links and other orders to a terminal. */
// oxlint-disable-next-line no-control-regex
const ORDERS = /\u001B\](?:[^\u0007\u001B]*)(?:\u0007|\u001B\\)|\u001B\[[0-?]*[ -/]*[@-~]|\u001B[@-Z\\-_]|\r(?=\n)/g;

export const withoutTerminalCodes = (output: string): string => output.replace(ORDERS, "");

/** A line that tells of success. What it names is not to blame. */
const PASSING = [
  /^\s*(?:[✓✔√]|PASS(?:ED)?|ok|--- PASS:)(?:\s|$)/,
  /\s(?:PASSED|\.\.\. ok|\.\.\. PASSED)(?:\s+\[\s*\d+%\])?$/,
  // pytest: a dot for each test of a file.
  /^\S+\.py\s+[.sxX]+(?:\s+\[\s*\d+%\])?$/,
];

/** In any word: `AssertionError`, `ERR_MODULE_NOT_FOUND`, `panicked`. */
const FAILING =
  /err(?:or|!|_)|fail|fatal|panic|exception|traceback|assert|unhandled|uncaught|cannot|could not|not (?:found|ok|a )|undefined|undeclared|unexpected|invalid|missing|warn|reformat|abort|denied|refused|time(?:d ?|-)?out|[✗✘✖×❯]|^\s*x\s|^E\s|^\s*>\s*\d+\s*[|│]/i;

export const isPassing = (line: string): boolean => PASSING.some((form) => form.test(line));

/**
 * A word with an ending such as `.ts`. Folders may have names in brackets, as in `app/[id]/(shop)/page.tsx`. It begins
 * where a word begins: a megabyte without a space is looked through once.
 */
const PATH =
  /(?<![^\s"'`<>|,;:=()[\]{}])(?:file:\/\/)?(?:[A-Za-z]:(?=[\\/]))?(?:[^\s"'`<>|,;:=()[\]{}]|\([\w.-]+\)(?=[\\/])|\[[\w.-]+\](?=[\\/.]))+\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w\\/-])/g;

/** `:12`, `(12,5)`, `:[12,5]`, `", line 12`, `: line 12`, `::test`. */
const POSITION = /^(?::\d|\(\d+[,)]|:\[\d|["']?,? line \d|: line \d|::\w|#L\d)/;

const ADDRESS = /\b(?:https?|wss?|node|npm|webpack):[^\s"'`)\]]+/g;

export interface Mention {
  /** As it was said, with forward slashes and without `file://` or `./`. */
  readonly path: string;
  /** With a line in the file: not just a name that happens to end in `.js`. */
  readonly hasLine: boolean;
}

function decoded(path: string): string {
  if (!path.startsWith("file://")) return path;
  // `file:///C:/x` has one slash more than the path.
  const bare = path.slice("file://".length).replace(/^\/(?=[A-Za-z]:)/, "");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

export const withSlashes = (path: string): string => path.replaceAll("\\", "/");

const toPath = (said: string): string => withSlashes(decoded(said)).replace(/^(?:\.\/)+/, "");

/** The files that a line of failure is about. */
export function mentionsIn(line: string): Mention[] {
  if (isPassing(line)) return [];
  const telling = FAILING.test(line);
  const said = line.replace(ADDRESS, " ");
  const mentions: Mention[] = [];
  for (const { 0: word, index } of said.matchAll(PATH)) {
    const hasLine = POSITION.test(said.slice(index + word.length));
    // A line that is nothing but a path is a heading, or a list of what is wrong.
    if (hasLine || telling || said.trim() === word) mentions.push({ path: toPath(word), hasLine });
  }
  return mentions;
}

/** Whether such a path would be read as one word. */
export const isOneWord = (path: string): boolean => {
  const [found] = path.matchAll(PATH);
  return found?.[0] === path;
};

/** The same question as `mentionsIn`, for a path that cannot be read as one word. */
export function mentionsPath(line: string, path: string): boolean {
  const said = withSlashes(line);
  if (isPassing(line) || !said.includes(path)) return false;
  const at = said.split(path).slice(0, -1);
  let from = 0;
  return at.some((before) => {
    const start = from + before.length;
    from = start + path.length;
    const after = said.slice(from);
    const isWhole = !/[\w.-]$/.test(said.slice(0, start)) && !/^[\w-]/.test(after);
    return isWhole && (FAILING.test(line) || POSITION.test(after) || said.trim() === path);
  });
}
