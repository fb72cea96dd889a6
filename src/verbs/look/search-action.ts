// Finds what is written anywhere in the plan: nodes, records, lessons and the texts of planning runs, the best first.

import type { Item } from "../../model/item/item.js";
import { ok, type Result } from "../../model/result.js";
import { relevanceOf, type Searched, wordsOf } from "../../model/words.js";
import type { Context } from "../../plan/context.js";
import type { Reader } from "../../store/store.js";

export interface SearchInput {
  readonly text: string;
  readonly limit?: number;
}

export interface SearchHit {
  readonly kind: "node" | "record" | "memory" | "artifact" | "question";
  readonly id: string;
  readonly title: string;
  /** The first line that has what was searched for, if it is not in the title. */
  readonly line: string | null;
  readonly score: number;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly total: number;
}

const USUAL_LIMIT = 20;

export function search(context: Context, { text, limit = USUAL_LIMIT }: SearchInput): Promise<Result<SearchResult>> {
  return context.store.read(async (reader) => {
    const hits: SearchHit[] = [];
    for await (const { kind, ...searched } of everything(reader, text)) {
      const score = relevanceOf(text, searched);
      if (score > 0) {
        const { id, title } = searched;
        hits.push({ kind, id, title, line: lineWith(text, searched), score });
      }
    }
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return ok({ hits: hits.slice(0, limit), total: hits.length });
  });
}

type Written = Searched & Pick<SearchHit, "kind">;

async function* everything(reader: Reader, sought: string): AsyncIterable<Written> {
  const words = wordsOf(sought);
  const phrase = sought.trim();
  const query = { words: words.length === 0 ? [phrase] : words, id: phrase, texts: true };
  for (const { id, title, body } of await reader.listings(query)) yield { kind: "node", id, title, body };
  for (const { key, fields } of await reader.items("record", {})) {
    yield { kind: "record", id: key, title: fields.title, body: fields.body };
  }
  for (const { key, fields } of await reader.items("memory", { state: "kept" })) {
    yield { kind: "memory", id: key, title: "", body: fields.text };
  }
  for (const { key, fields } of await reader.items("escalation", {})) {
    yield { kind: "question", id: key, title: fields.question, body: fields.context };
  }
  for (const item of await reader.items("artifact", {})) yield artifact(item, await reader.document(item.fields.hash));
}

const artifact = ({ key, fields }: Item<"artifact">, text = ""): Written => ({
  kind: "artifact",
  id: key,
  title: `${fields.kind} of ${fields.run}`,
  body: text,
});

const LONGEST_LINE = 200;

function lineWith(text: string, { title, body }: Searched): string | null {
  const sought = text.trim().toLowerCase();
  if (title.toLowerCase().includes(sought)) return null;
  const line = body.split("\n").find((each) => each.toLowerCase().includes(sought));
  return line === undefined ? null : line.trim().slice(0, LONGEST_LINE);
}
