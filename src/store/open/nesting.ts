// Notices that `decide` asks the store itself instead of the writer that it was given. On SQLite it would wait for its own transaction
// for ever, and a database with several connections would answer with another moment.

import { AsyncLocalStorage } from "node:async_hooks";

export class Nesting {
  readonly #deciding = new AsyncLocalStorage<{ isOpen: boolean }>();

  /** Throws inside `decide`. */
  refuse(): void {
    if (this.#deciding.getStore()?.isOpen !== true) return;
    throw new Error("The store was asked inside a transaction of its own: use the writer that it gave to `decide`.");
  }

  /** Followed only as long as `decide` runs: until Node 22, every `await` takes twice as long with it. */
  async during<T>(decide: () => Promise<T>): Promise<T> {
    const transaction = { isOpen: true };
    try {
      return await this.#deciding.run(transaction, decide);
    } finally {
      transaction.isOpen = false;
      this.#deciding.disable();
    }
  }
}
