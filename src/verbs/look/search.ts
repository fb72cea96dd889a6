import type { Node, Nr } from "../../model/node/node.js";
import { gramsOfSearch } from "../../model/searched-text.js";
import { relevanceOf, type Searched } from "../../model/words.js";
import type { Context } from "../../plan/base/context.js";
import type { Reader } from "../../store/store.js";
import {
  fields,
  filled,
  flag,
  type Infer,
  type Item,
  list,
  ok,
  optional,
  planVerb,
  spoken,
  step,
  wholeNumber,
} from "../kit/verb.js";
import { inLine } from "../kit/wording.js";
import { labelledWith } from "./list.js";

export const input = fields({
  text: filled("what to look for"),
  labels: optional(list(filled(""), "only nodes with this label", "LABEL")),
  limit: optional(wholeNumber("at most N results (20)", 1, 1_000)),
  all: optional(flag("also what no longer holds: replaced records and documents, withdrawn questions")),
});

export const verb = planVerb({
  command: { words: "search", group: "look", positional: ["text"] },
  summary: "Search titles, texts, records, lessons and artifacts",
  description:
    "The best match comes first: an id, then words of the title, then words of the text. What was replaced is left out, unless you ask for all.",
  effect: "reads",
  phrases: spoken(
    "search, search for, search the plan for, look for, find, anything about, anything on, which tasks mention, " +
      "tasks that mention, where is … mentioned, where do we mention",
  ),
  hints: ["query"],
  tools: [{ tool: "find", action: "search", fields: ["text"], pages: "hits" }],
  input,
  examples: [
    { input: { text: "session cookie" }, does: "everything in the plan about session cookies" },
    { input: { text: "cookie", labels: ["ui"] }, does: "nodes about cookies that are labelled ui" },
  ],
  run: search,
  text: ({ hits }, style) =>
    hits.length === 0
      ? style.dim("Nothing found.")
      : hits.flatMap(({ kind, id, title, line }) => [
          `${style.bold(id)}  ${style.dim(kind)}  ${inLine(title)}`,
          line !== null && `    ${style.dim(inLine(line))}`,
        ]),
  note: ({ hits, total }) => {
    if (total === null)
      return "Very many nodes have that: these are the best of the first. Say more of what you look for.";
    return total > hits.length ? `${total - hits.length} more; raise --limit to see them.` : "";
  },
  next: ({ hits: [first] }) => (first ? [step("show", { reference: first.id })] : []),
});

const DEFAULT_LIMIT = 20;

/** A word that is in very many nodes finds nothing: so many of those that have it are compared, in the order of creation. */
const MOST_COMPARED = 2_000;

/** `line`: the first line that has what was searched for, if it is not in the title. `total`: null if there are more than were compared. */
function search(context: Context, { text, labels, limit = DEFAULT_LIMIT, all = false }: Infer<typeof input>) {
  return context.store.read(async (reader) => {
    const hits = [];
    for await (const searched of labels ? labelled(reader, text, labels) : everything(reader, text, all)) {
      const score = relevanceOf(text, searched);
      const { kind, id, title } = searched;
      if (score > 0) hits.push({ kind, id, title, line: lineWith(text, searched), score });
      if (hits.length > MOST_COMPARED) break;
    }
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    return ok({ hits: hits.slice(0, limit), total: hits.length > MOST_COMPARED ? null : hits.length });
  });
}

interface SearchedText extends Searched {
  readonly kind: "node" | "record" | "lesson" | "artifact" | "question";
}

/** The node with this id first, which no index of texts need find. */
async function* nodesAbout(reader: Reader, sought: string, among?: ReadonlySet<Nr>): AsyncIterable<SearchedText> {
  const named = await reader.byId(sought.trim());
  if (named && (among?.has(named.nr) ?? true)) yield nodeText(named);
  const query = { text: gramsOfSearch(sought), texts: true, ...(among && { among }) };
  for await (const page of reader.listings(query)) {
    for (const row of page) if (row.nr !== named?.nr) yield nodeText(row);
  }
}

const nodeText = ({ id, title, body }: Pick<Node, "id" | "title" | "body">): SearchedText => ({
  kind: "node",
  id,
  title,
  body,
});

/** Only nodes have labels. */
async function* labelled(reader: Reader, sought: string, labels: readonly string[]): AsyncIterable<SearchedText> {
  yield* nodesAbout(reader, sought, await labelledWith(reader, labels));
}

/** Nodes last: there may be very many of them. */
async function* everything(reader: Reader, text: string, all: boolean): AsyncIterable<SearchedText> {
  yield* besideNodes(reader, all);
  yield* nodesAbout(reader, text);
}

async function* besideNodes(reader: Reader, all: boolean): AsyncIterable<SearchedText> {
  for (const { key, fields } of await reader.items("record", {})) {
    if (!all && fields.state === "superseded") continue;
    yield { kind: "record", id: key, title: fields.title, body: fields.body };
  }
  for (const { key, fields } of await reader.items("lesson", { state: "kept" })) {
    yield { kind: "lesson", id: key, title: "", body: fields.text };
  }
  for (const { key, fields } of await reader.items("question", {})) {
    if (!all && fields.state === "withdrawn") continue;
    yield { kind: "question", id: key, title: fields.question, body: fields.context };
  }
  const artifacts = await reader.items("artifact", {});
  const latest = new Map(artifacts.map((item) => [roleOf(item), item.key]));
  for (const item of artifacts) {
    if (all || latest.get(roleOf(item)) === item.key) yield artifact(item, await reader.document(item.fields.hash));
  }
}

/** The next round of a document replaces it. */
const roleOf = ({ fields }: Item<"artifact">): string => `${fields.run} ${fields.kind}`;

const artifact = ({ key, fields }: Item<"artifact">, text = ""): SearchedText => ({
  kind: "artifact",
  id: key,
  title: `${fields.kind} of ${fields.run}`,
  body: text,
});

const MAX_LINE_SHOWN = 200;

function lineWith(text: string, { title, body }: Searched): string | null {
  const sought = text.trim().toLowerCase();
  if (title.toLowerCase().includes(sought)) return null;
  const line = body.split("\n").find((each) => each.toLowerCase().includes(sought));
  return line === undefined ? null : line.trim().slice(0, MAX_LINE_SHOWN);
}
