// Which lines of a text went and which came, in the order of the text. Pure.

export interface ChangedLine {
  readonly sign: "+" | "-";
  readonly text: string;
}

/** More than that is another text. */
const MOST = 3_000;

/** The longest common part stays; what is around it changed. */
export function changedLines(before: string, after: string): ChangedLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  if (old.length > MOST || now.length > MOST) return [];
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    const row = common[i];
    if (!row) continue;
    for (let j = now.length - 1; j >= 0; j--)
      row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const changes: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++;
      j++;
    } else if (i < old.length && (j >= now.length || at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ sign: "-", text: old[i++] ?? "" });
    } else changes.push({ sign: "+", text: now[j++] ?? "" });
  }
  return changes;
}
