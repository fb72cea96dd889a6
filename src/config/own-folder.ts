// A folder of small JSON files in your settings folder, for your eyes only. Workers in a sandbox do not see it.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../base/plain-file.js";
import { writeOwnFile } from "./state-folder.js";

export class OwnFolder {
  readonly #path: string | undefined;

  /** Without a path nothing is written and nothing is found. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** The names before this ending that are nothing but hexadecimal digits. */
  names(ending: string): string[] {
    if (this.#path === undefined) return [];
    try {
      const names = readdirSync(this.#path).filter((name) => name.endsWith(ending));
      return names.map((name) => name.slice(0, -ending.length)).filter((name) => /^[0-9a-f]+$/.test(name));
    } catch {
      return [];
    }
  }

  read<T>(name: string): Partial<T> | undefined {
    if (this.#path === undefined) return undefined;
    try {
      const read: unknown = JSON.parse(readPlainFile(join(this.#path, name)));
      return typeof read === "object" && read !== null ? read : undefined;
    } catch {
      return undefined;
    }
  }

  write(name: string, content: object): boolean {
    return this.#path !== undefined && writeOwnFile(join(this.#path, name), JSON.stringify(content));
  }

  /** Answers whether it is gone. */
  remove(name: string): boolean {
    if (this.#path === undefined) return true;
    try {
      rmSync(join(this.#path, name), { force: true });
      return true;
    } catch {
      return false;
    }
  }
}
