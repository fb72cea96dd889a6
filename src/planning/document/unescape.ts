// The way back from a document to plain words: the marks that `markdown.ts` put in front of punctuation go again. Code stays
// as it is.

const MARK = /\\([\\`*_{}[\]<>#|~!&.)+=-])/g;

/** A title or another text that was taken literally. */
export const unescaped = (line: string): string => line.replace(MARK, "$1");

/** Text between back-ticks is code. */
const unescapedLine = (line: string): string =>
  line
    .split(/((?<!\\)`+[^`]*`+)/)
    .map((part, at) => (at % 2 === 1 ? part : unescaped(part)))
    .join("");

/** Several lines; fenced code is left alone. */
export function unescapedProse(text: string): string {
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== undefined) {
        if (line.trim() === fence) fence = undefined;
        return line;
      }
      if (mark !== undefined) {
        fence = mark;
        return line;
      }
      return unescapedLine(line);
    })
    .join("\n")
    .trim();
}

/** What stands in code marks at the beginning of a text, and what follows them. */
export function codeAt(text: string): { readonly code: string; readonly rest: string } | undefined {
  const marks = /^`+/.exec(text)?.[0];
  if (marks === undefined) return undefined;
  const end = text.indexOf(marks, marks.length);
  if (end < 0) return undefined;
  const inside = text.slice(marks.length, end);
  // Longer marks have a space on both sides.
  const code = marks.length > 1 ? inside.replace(/^ | $/g, "") : inside;
  return { code, rest: text.slice(end + marks.length) };
}
