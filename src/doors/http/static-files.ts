// The files of the page, as they were built. Only files that were there when the server was started are served, by the names that
// they had: no path of a request ever reaches the disk.

import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";

interface PageFile {
  readonly type: string;
  readonly read: () => Uint8Array;
  /** Its name carries a hash of its content, so it never changes. */
  readonly immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

export class PageFiles {
  readonly #files = new Map<string, PageFile>();

  constructor(folder: string) {
    for (const name of listed(folder)) {
      const type = TYPES[extname(name)];
      const url = `/${name.split(sep).join("/")}`;
      const read = () => readFileSync(join(folder, name));
      if (type !== undefined) this.#files.set(url, { type, read, immutable: url.startsWith("/assets/") });
    }
  }

  /** The file of an address; the page itself for its routes; undefined for a file that is not there. */
  find(url: string): PageFile | undefined {
    const exact = this.#files.get(url);
    if (exact) return exact;
    return url.startsWith("/assets/") || extname(url) !== "" ? undefined : this.#files.get("/index.html");
  }

  get isThere(): boolean {
    return this.#files.has("/index.html");
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}

export const NO_PAGE =
  "<!doctype html><title>Planwright</title><p>The page of the board is not built here. Type: npm run build</p>\n";
