/** Breaks prose between words so that no line is wider than the screen. A word that is too long stays whole. */
export function wrapText(text: string, columns: number, indent = ""): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, Math.max(20, columns - indent.length)).join(`\n${indent}`))
    .join(`\n${indent}`);
}

function wrapLine(line: string, columns: number): string[] {
  const [, start = "", rest = ""] = /^(\s*)(.*)$/s.exec(line) ?? [];
  const lines: string[] = [];
  let current = start;
  for (const word of rest.split(" ")) {
    const longer = current.trim() === "" ? `${current}${word}` : `${current} ${word}`;
    if (longer.length > columns && current.trim() !== "") {
      lines.push(current);
      current = `${start}${word}`;
    } else current = longer;
  }
  return [...lines, current];
}
