// An edited plan document by its headings, and the words below them.

import { spaced } from "../../model/words.js";
import { escapedProse, markdownLines, unescapedProse } from "./markdown.js";

export type NoteChange = (what: string, isChanged: boolean) => void;

/** Words that were not edited stay as they are, byte for byte. */
export const readProse = (text: string, before: string): string =>
  text === escapedProse(before) ? before : unescapedProse(text);

/** A node with the title and the body that the document has now. */
export function readTitleAndBody<T extends { readonly id: string; readonly title: string; readonly body: string }>(
  node: T,
  title: string,
  text: string,
  note: NoteChange,
): T {
  const isRenamed = title !== "" && title !== spaced(node.title);
  const body = readProse(text, node.body);
  note(`${node.id} title`, isRenamed);
  note(`${node.id} body`, body !== node.body);
  return { ...node, title: isRenamed ? title : node.title, body };
}

export interface DocumentSection {
  readonly level: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

export function sectionsOf(document: string): DocumentSection[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [];
  for (const { line, isCode } of markdownLines(document.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"))) {
    const [, marks = "", heading = ""] = isCode ? [] : (/^(#{1,6})\s+(.*)$/.exec(line) ?? []);
    if (marks === "") sections.at(-1)?.lines.push(line);
    else sections.push({ level: marks.length, heading: heading.trim(), lines: [] });
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
