// A plan document as its headings, each with the lines below it.

export interface DocumentSection {
  readonly level: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

export function sectionsOf(document: string): DocumentSection[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const line of document
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) fence = line.trim() === fence ? undefined : fence;
    else fence = mark;
    const heading = fence === undefined ? /^(#{1,6})\s+(.*)$/.exec(line) : null;
    if (heading)
      sections.push({ level: (heading[1] as string).length, heading: (heading[2] as string).trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** What stands below one heading of the second level, up to the next. */
export function sectionsBelow(sections: readonly DocumentSection[], title: string): readonly DocumentSection[] {
  const start = sections.findIndex(({ level, heading }) => level === 2 && heading === title);
  if (start < 0) return [];
  const end = sections.findIndex(({ level }, at) => at > start && level <= 2);
  return sections.slice(start + 1, end < 0 ? undefined : end);
}

export const sectionText = ({ lines }: Pick<DocumentSection, "lines">): string =>
  lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
