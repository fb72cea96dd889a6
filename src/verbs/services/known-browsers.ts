// The browsers in which you typed a code of the board, with the public halves of their keys. The private halves never leave the
// browsers, so these files let nobody in; only you can write them, and workers in a sandbox do not see them.

import { createHash, randomBytes } from "node:crypto";
import { OwnFolder } from "../../config/own-folder.js";

export interface KnownBrowser {
  readonly id: string;
  /** ECDSA, P-256: the public half as SPKI in base64url. */
  readonly key: string;
  /** With this secret of both the board proves to the page that it is no other program on its port. */
  readonly shared: string;
  /** In whose name it asks. */
  readonly actor: string;
  /** Pages of another port cannot use the key, so it counts on this one only. */
  readonly port: number;
  readonly name: string;
  readonly since: number;
  readonly usedAt: number;
}

const ENDING = ".json";
/** A browser that signed in less than this long ago needs no new code. */
const UNUSED_MS = 30 * 24 * 60 * 60_000;
/** When a browser was used last is known to the hour. */
const NOTED_MS = 60 * 60_000;

export const idOfBrowser = (key: string): string => createHash("sha256").update(key).digest("hex").slice(0, 16);

export class KnownBrowsers {
  readonly #folder: OwnFolder;
  readonly #now: () => number;
  /** What could not be written is known until this process ends. */
  readonly #unwritten = new Map<string, KnownBrowser>();

  constructor(folder: string | undefined, now: () => number = Date.now) {
    this.#folder = new OwnFolder(folder);
    this.#now = now;
  }

  /** The one that was used last comes first. */
  list(): KnownBrowser[] {
    const ids = new Set([...this.#folder.names(ENDING), ...this.#unwritten.keys()]);
    return [...ids].flatMap((id) => this.find(id) ?? []).sort((a, b) => b.usedAt - a.usedAt);
  }

  find(id: string): KnownBrowser | undefined {
    if (!/^[0-9a-f]{16}$/.test(id)) return undefined;
    const found = this.#unwritten.get(id) ?? this.#folder.read<KnownBrowser>(id + ENDING);
    return isBrowser(found) && found.id === id && found.usedAt > this.#now() - UNUSED_MS ? found : undefined;
  }

  add({ key, actor, port, name }: Pick<KnownBrowser, "key" | "actor" | "port" | "name">): KnownBrowser {
    const now = this.#now();
    for (const id of this.#folder.names(ENDING)) if (!this.find(id)) this.#folder.remove(id + ENDING);
    const shared = randomBytes(32).toString("base64url");
    return this.#keep({ id: idOfBrowser(key), key, shared, actor, port, name, since: now, usedAt: now });
  }

  use(browser: KnownBrowser): void {
    const now = this.#now();
    if (browser.usedAt < now - NOTED_MS) this.#keep({ ...browser, usedAt: now });
  }

  /** Answers whether it is forgotten. A board that runs asks for each request, so its sessions end at once. */
  remove(id: string): boolean {
    this.#unwritten.delete(id);
    return this.#folder.remove(id + ENDING);
  }

  #keep(browser: KnownBrowser): KnownBrowser {
    if (!this.#folder.write(browser.id + ENDING, browser)) this.#unwritten.set(browser.id, browser);
    return browser;
  }
}

const isBrowser = (found: Partial<KnownBrowser> | undefined): found is KnownBrowser =>
  found !== undefined &&
  [found.id, found.key, found.shared, found.actor, found.name].every((each) => typeof each === "string") &&
  [found.port, found.since, found.usedAt].every((each) => typeof each === "number");
