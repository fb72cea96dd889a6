// A block of our own at the end of somebody else's text file, between two marks. It is replaced where it stands.

export interface Marks {
  readonly begin: string;
  readonly end: string;
}

export const MARKDOWN: Marks = { begin: "<!-- planwright:begin -->", end: "<!-- planwright:end -->" };
export const TOML: Marks = { begin: "# planwright:begin", end: "# planwright:end" };

interface Span {
  readonly from: number;
  readonly to: number;
}

function findBlock(text: string, { begin, end }: Marks): Span | undefined {
  const from = text.indexOf(begin);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  return to < 0 ? undefined : { from, to: to + end.length };
}

export const hasBlock = (text: string, marks: Marks): boolean => findBlock(text, marks) !== undefined;

/** The line ends that were put in around a block, as far as they are still there. */
function gapsAround(text: string, { from, to }: Span, { begin, end }: Marks, chunk: Chunk | undefined): Span {
  const inserted = chunk?.inserted ?? "";
  const [start, stop] = [inserted.indexOf(begin), inserted.indexOf(end)];
  if (start < 0 || stop < 0) return { from, to };
  const [before, after] = [inserted.slice(0, start), inserted.slice(stop + end.length)];
  return {
    from: text.slice(0, from).endsWith(before) ? from - before.length : from,
    to: text.slice(to).startsWith(after) ? to + after.length : to,
  };
}

/** `before`: how an older block was put in, if that is known. */
export function putBlock(text: string, block: string, marks: Marks, before: Chunk | undefined): Insertion {
  const eol = lineEnd(text);
  const marked = [marks.begin, ...block.trim().split("\n"), marks.end].join(eol);
  const found = findBlock(text, marks);
  if (found) {
    const whole = gapsAround(text, found, marks, before);
    const inserted = text.slice(whole.from, found.from) + marked + text.slice(found.to, whole.to);
    return { text: text.slice(0, whole.from) + inserted + text.slice(whole.to), chunk: { inserted } };
  }
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
  return insertAt(text, text.length, `${gap}${marked}${eol}`);
}

export function removeBlock(text: string, marks: Marks, chunk: Chunk | undefined): string {
  const exact = chunk && takeOut(text, chunk);
  if (exact !== undefined && !hasBlock(exact, marks)) return exact;
  const found = findBlock(text, marks);
  if (!found) return text;
  const { from, to } = gapsAround(text, found, marks, chunk);
  const rest = text.slice(to);
  return text.slice(0, from) + (to === found.to ? rest.replace(/^\r?\n/, "") : rest);
}
export interface Chunk {
  readonly inserted: string;
}

export interface Insertion {
  readonly text: string;
  readonly chunk: Chunk;
}

export const insertAt = (text: string, offset: number, inserted: string): Insertion => ({
  text: text.slice(0, offset) + inserted + text.slice(offset),
  chunk: { inserted },
});

/** Undefined if it is not there as it was put in, or more than once. */
export function takeOut(text: string, { inserted }: Chunk): string | undefined {
  const at = text.indexOf(inserted);
  if (inserted === "" || at < 0 || text.indexOf(inserted, at + 1) >= 0) return undefined;
  return text.slice(0, at) + text.slice(at + inserted.length);
}

export const lineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
