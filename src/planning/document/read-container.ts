// Reads one section of an edited plan document back into the initiative or feature that it is about.

import { escapedProse } from "./markdown.js";
import { type DocumentSection, sectionText } from "./sections.js";
import { unescaped, unescapedProse } from "./unescape.js";

/** Told about each thing that may have changed. */
export type NoteChange = (what: string, isChanged: boolean) => void;

/** `T1 A title`: the id, and the title. */
export function nameInHeading(heading: string): { readonly id: string; readonly title: string } {
  const [id = "", ...words] = unescaped(heading).split(" ");
  return { id, title: words.join(" ").trim() };
}

export const isOtherTitle = (title: string, before: string): boolean =>
  title !== "" && title !== before.replace(/\s+/g, " ").trim();

export function readContainer<T extends { readonly id: string; readonly title: string; readonly body: string }>(
  node: T,
  title: string,
  section: DocumentSection,
  note: NoteChange,
): T {
  const text = sectionText(section);
  const body = text === escapedProse(node.body) ? node.body : unescapedProse(text);
  note(`${node.id} title`, isOtherTitle(title, node.title));
  note(`${node.id} body`, body !== node.body);
  return { ...node, title: isOtherTitle(title, node.title) ? title : node.title, body };
}
