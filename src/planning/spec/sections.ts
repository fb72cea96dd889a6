// The sections of a spec while it is read: each heading closes the one before it and finds its place below the
// nearest heading of a higher level.

import { collapse } from "./collapse.js";
import type { Section } from "./spec.js";

interface OpenSection {
  readonly id: string;
  readonly title: string;
  readonly level: number;
  readonly path: readonly string[];
  readonly rawTitle: string;
  readonly from: number;
  readonly start: number;
  children: number;
}

/** A section before it is known which ids the spec gives to what it asks for. */
export type RawSection = Omit<Section, "requirements"> & { readonly rawTitle: string };

/** Emphasis says nothing in a heading; links and code stay as they are, so that the title is found in the text. */
const headingTitle = (title: string): string => collapse(title.replaceAll(/\*\*|__|(?<!\w)[*_]|[*_](?!\w)/g, ""));

export class Sections {
  readonly #closed: RawSection[] = [];
  readonly #above: OpenSection[] = [];
  #current: OpenSection = { id: "0", title: "", level: 0, path: [], rawTitle: "", from: 1, start: 0, children: 0 };
  #top = 0;

  get current(): string {
    return this.#current.id;
  }

  open(level: number, rawTitle: string, line: number, start: number): void {
    this.#close(line - 1, start);
    while ((this.#above.at(-1)?.level ?? 0) >= level) this.#above.pop();
    const parent = this.#above.at(-1);
    const place = parent === undefined ? ++this.#top : ++parent.children;
    const title = headingTitle(rawTitle);
    this.#current = {
      id: parent === undefined ? `${place}` : `${parent.id}.${place}`,
      title,
      level,
      path: [...(parent?.path ?? []), title],
      rawTitle,
      from: line,
      start,
      children: 0,
    };
    this.#above.push(this.#current);
  }

  finish(lastLine: number, end: number): RawSection[] {
    this.#close(lastLine, end);
    return this.#closed;
  }

  #close(to: number, end: number): void {
    const { children: _, ...section } = this.#current;
    const isEmptyStart = section.level === 0 && end === 0 && to === 0;
    if (!isEmptyStart) this.#closed.push({ ...section, to, end });
  }
}
