// What changes in a text, line by line, as `diff -u` shows it.

const AROUND = 2;
/** Beyond this the lines between the first and the last change are all shown as changed. */
const MOST_CELLS = 4_000_000;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

export function lineDiff(path: string, before: string | null, after: string | null): string {
  const lines = compare(linesOf(before ?? ""), linesOf(after ?? ""));
  const head = [`--- ${before === null ? "(no file)" : path}`, `+++ ${after === null ? "(no file)" : path}`];
  const shown = lines.flatMap((line, i) => {
    const isNear = lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ sign }) => sign !== " ");
    return isNear ? [`${line.sign}${line.text.replace(/\r$/, "")}`] : [];
  });
  return [...head, ...shown].join("\n");
}

function compare(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (text: string): Line => ({ sign: " ", text });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

/** The longest common lines stay. */
function middle(a: readonly string[], b: readonly string[]): Line[] {
  if (a.length * b.length > MOST_CELLS) {
    return [...a.map((text): Line => ({ sign: "-", text })), ...b.map((text): Line => ({ sign: "+", text }))];
  }
  const longest = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      (longest[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: " ", text: a[i++] as string });
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: "-", text: a[i++] as string });
    } else lines.push({ sign: "+", text: b[j++] as string });
  }
  return lines;
}
