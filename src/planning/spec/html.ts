// A page as the text that its reader sees, mark for mark in the same place: what is a heading or a list in HTML becomes one in
// Markdown, and everything else of the tags becomes white space.

/** Where something begins of which nothing is read. */
const UNREAD = /<!--|<(script|style|head|nav|svg|template)\b/gi;

const TAG = /<(\/?)([a-z][a-z0-9]*)\b([^<>]{0,2000})>|&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi;

const isPage = (text: string): boolean =>
  /^\uFEFF?\s*(?:<!doctype html|<html\b)/i.test(text) ||
  (/^\uFEFF?\s*</.test(text) && (text.match(/<\/(?:p|h[1-6]|li|td|div|section)\s*>/gi) ?? []).length >= 5);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
};

function characterOf(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (!name.startsWith("#")) return ENTITIES[name] ?? " ";
  return code >= 32 && code < 0xd800 ? String.fromCharCode(code) : " ";
}

/** White space of the same length: lines stay where they are. */
const blank = (text: string): string => text.replace(/[^\r\n]/g, " ");

/** Blanks comments, scripts and the like. What nothing closes stays, and is looked for once. */
function withoutUnread(text: string): string {
  const parts: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  for (const { index, 1: tag = "" } of text.matchAll(UNREAD)) {
    const kind = tag.toLowerCase();
    if (index < at || unclosed.has(kind)) continue;
    const close = kind === "" ? /-->/g : new RegExp(`</${kind}\\s*>`, "gi");
    close.lastIndex = index;
    if (close.exec(text) === null) {
      unclosed.add(kind);
      continue;
    }
    parts.push(text.slice(at, index), blank(text.slice(index, close.lastIndex)));
    at = close.lastIndex;
  }
  return parts.join("") + text.slice(at);
}

const ENDS_BLOCK =
  /^(?:p|h[1-6]|li|ul|ol|dl|dt|dd|div|section|article|main|header|footer|table|thead|tbody|tr|blockquote|pre|body|html|figure|details|summary)$/;

/** The text itself if it is no page. */
export function withoutHtml(text: string): string {
  if (!isPage(text)) return text;
  let depth = 0;
  const markOf = (isEnd: boolean, name: string, more: string): string => {
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (name === "ul" || name === "ol") depth += isEnd ? -1 : 1;
    if (name === "code") return isEnd ? "`" : " `";
    if (isEnd) return ENDS_BLOCK.test(name) ? "\n\n" : "";
    if (heading !== undefined) return `${"#".repeat(Math.min(3, Number(heading)))} `;
    if (name === "li") return depth > 1 ? "  - " : "- ";
    if (name === "tr") return "- ";
    if (name === "input" && /\bcheckbox\b/i.test(more)) return /\bchecked\b/i.test(more) ? "[x] " : "[ ] ";
    return name === "br" || name === "p" ? "\n" : "";
  };
  return withoutUnread(text).replace(TAG, (found: string, end: string, tag: string | undefined, more: string) => {
    const mark = tag === undefined ? characterOf(found) : markOf(end === "/", tag.toLowerCase(), more);
    if (mark.length > found.length) return blank(found);
    // A mark that begins a block stands right before its words.
    return mark.endsWith("\n") || end === "/" ? mark + blank(found.slice(mark.length)) : padded(found, mark);
  });
}

const padded = (found: string, mark: string): string =>
  mark.startsWith("#") || mark.trimStart().startsWith("-")
    ? mark + blank(found.slice(mark.length))
    : blank(found.slice(mark.length)) + mark;
