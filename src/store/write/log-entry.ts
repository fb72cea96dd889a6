// What the log says about an operation: one row for it and one for each change, with a link over all of them.

import type { Change } from "../../model/operation/change.js";
import type { Database, Row, SqlStatement } from "../database.js";
import { type ChainEnd, changeNr, LinkHash } from "../rows/log-rows.js";
import { insertion } from "../rows/values.js";
import { operationText, type Signer } from "../signer.js";
import type { Stamped } from "../store.js";

export class LogEntry {
  readonly #db: Database;
  readonly #operation: Row & { readonly op: number };
  readonly #link: LinkHash;
  #changes = 0;

  constructor(
    db: Database,
    before: ChainEnd,
    { at, actor, verb, commit, undoes, redoes }: Stamped,
    { sentence, statement }: { readonly sentence: string; readonly statement: string | null },
  ) {
    this.#db = db;
    const turns = { undoes: undoes ?? null, redoes: redoes ?? null };
    this.#operation = { op: before.op + 1, at, actor, verb, sentence, git_commit: commit, ...turns, statement };
    this.#link = new LinkHash(before, this.#operation);
  }

  /** Writes a part of the changes. Their operation has to be there before them, so its link follows at the end. */
  async add(changes: readonly Change[]): Promise<void> {
    const begin = this.#changes === 0 && changes.length > 0 ? [insertion("operation", this.#operation)] : [];
    await this.#db.batch([...begin, ...this.#rows(changes)]);
  }

  /** Writes the rest. */
  end(changes: readonly Change[], signer: Signer | null): SqlStatement[] {
    const { op } = this.#operation;
    const isBegun = this.#changes > 0;
    const rows = this.#rows(changes);
    const link = this.#link.end();
    const signature = signer === null ? null : signer.sign(operationText(link));
    const row = { link, signature };
    const sealed: SqlStatement = {
      sql: "update operation set link = ?, signature = ? where op = ?",
      params: [link, signature, op],
    };
    return [isBegun ? sealed : insertion("operation", { ...this.#operation, ...row }), ...rows];
  }

  #rows(changes: readonly Change[]): SqlStatement[] {
    const { op } = this.#operation;
    return changes.map(({ entity, key, before, after }) => {
      const nr = changeNr(op, this.#changes++);
      const row = { nr, op, entity, key: String(key), before: toImage(before), after: toImage(after) };
      this.#link.add(row.entity, row.key, row.before, row.after);
      return insertion("change", row);
    });
  }
}

const toImage = (image: object | null): string | null => (image === null ? null : JSON.stringify(image));
