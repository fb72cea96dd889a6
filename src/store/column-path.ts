// Columns one after another, each leading on to the next. What was made for a row with the same columns is found that
// way, without a text to be made and looked up.

export class ColumnPath<T> {
  readonly columns: readonly string[];
  made: T | undefined;
  readonly #next = new Map<string, ColumnPath<T>>();

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  to(column: string): ColumnPath<T> {
    let next = this.#next.get(column);
    if (!next) {
      next = new ColumnPath([...this.columns, column]);
      this.#next.set(column, next);
    }
    return next;
  }
}
