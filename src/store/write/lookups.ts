// Tables that find nodes by their text and by the files that they name. They follow from the rows: whoever writes a node writes them in
// the same transaction, `verify` compares them, and a repair builds them again.

import { placeOfPattern } from "../../model/conflict/glob.js";
import type { Node, Nr } from "../../model/node/node.js";
import { gramCount, searchedText } from "../../model/searched-text.js";
import type { Database, Row, SqlStatement } from "../database.js";
import { readPages } from "../read/pages.js";
import { toList } from "../rows/node-rows.js";
import { numberOf, textOf } from "../rows/values.js";

type Found = Pick<Node, "nr" | "id" | "title" | "body" | "files">;

/** What a change of a node changes in them; null where it did not exist, or does not any more. */
export function lookupStatements(db: Database, was: Found | null, now: Found | null): SqlStatement[] {
  if (!db.hasLookups) return [];
  const { put, remove } = db.sql.lookup;
  const statements: SqlStatement[] = [];
  if (now === null) {
    if (was !== null) statements.push({ sql: remove, params: [was.nr] });
  } else if (was === null || was.title !== now.title || was.body !== now.body || was.id !== now.id) {
    statements.push({ sql: put, params: [now.nr, searchedText(now)] });
  }
  if (was?.files === now?.files) return statements;
  const [before, after] = [placesOf(was), placesOf(now)];
  for (const place of before) if (!after.has(place)) statements.push({ sql: UNPLACE, params: [place, was?.nr ?? 0] });
  for (const place of after) if (!before.has(place)) statements.push({ sql: PLACE, params: [place, now?.nr ?? 0] });
  return statements;
}

const PLACE = "insert into node_file (place, node) values (?, ?)";
const UNPLACE = "delete from node_file where place = ? and node = ?";

const placesOf = (node: Pick<Node, "files"> | null): ReadonlySet<string> =>
  new Set(node === null ? [] : node.files.map(placeOfPattern));

const TEXTS = "select nr, id, title, body, files from node where nr > ? order by nr limit ?";

const toFound = (row: Row): Found => ({
  nr: numberOf(row["nr"]),
  id: textOf(row["id"]),
  title: textOf(row["title"]),
  body: textOf(row["body"]),
  files: toList(row["files"]),
});

const nextNr = (last: Row): number[] => [numberOf(last["nr"])];

/** From the rows, inside one transaction of the caller. */
export async function buildLookups(db: Database): Promise<void> {
  await db.run(db.sql.lookup.clear);
  await db.run("delete from node_file");
  for await (const row of readPages(db, TEXTS, [-1], nextNr)) {
    await db.batch(lookupStatements(db, null, toFound(row)));
  }
}

/** Says of which nodes they do not hold what they should. */
export async function compareLookups(
  db: Database,
  differ: (row: string, field: string, stored: unknown, wanted: unknown) => void,
): Promise<void> {
  if (!db.hasLookups) return;
  const lengths = readPages(db, db.sql.lookup.lengths, [-1], nextNr);
  let indexed = await lengths.next();
  const skipTo = async (nr: Nr): Promise<void> => {
    for (; !indexed.done && numberOf(indexed.value["nr"]) < nr; indexed = await lengths.next())
      differ(`row ${numberOf(indexed.value["nr"])}`, "found by its text", true, false);
  };
  let places = 0;
  for await (const row of readPages(db, TEXTS, [-1], nextNr)) {
    const node = toFound(row);
    await skipTo(node.nr);
    const isHere = !indexed.done && numberOf(indexed.value["nr"]) === node.nr;
    const length = isHere ? lengthOf(textOf((indexed.value as Row)["length"])) : null;
    if (isHere) indexed = await lengths.next();
    differ(node.id, "characters of its text by which it is found", length, gramCount(searchedText(node)));
    for (const place of placesOf(node)) {
      places++;
      differ(node.id, `found by ${place}`, (await db.get(PLACED, place, node.nr)) !== undefined, true);
    }
  }
  await skipTo(Number.POSITIVE_INFINITY);
  differ("files", "places", (await db.get("select count(*) as places from node_file"))?.["places"], places);
}

const PLACED = "select 1 as found from node_file where place = ? and node = ?";

/** SQLite keeps the number of trigrams as a varint: seven bits in each byte, the last one without the high bit. */
const lengthOf = (hex: string): number =>
  (hex.match(/../g) ?? []).reduce((length, byte) => length * 128 + (Number.parseInt(byte, 16) & 127), 0);
