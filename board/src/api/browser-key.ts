// The key of this browser. It is made when you type a code, cannot be read out, and signs whatever changes something. Another browser
// has none, and pages of another origin cannot reach it.

import { provingText, type SignedRequest, signedText } from "../../../src/model/signed-request.js";

export interface BrowserKey {
  /** As the board knows it. */
  readonly id: string;
  readonly own: CryptoKey;
  /** What the board proves itself with. */
  readonly shared: CryptoKey;
}

const KIND = { name: "ECDSA", namedCurve: "P-256" } as const;

const DATABASE = "planwright";
const STORE = "keys";
const NAME = "browser";

let held: BrowserKey | undefined;
/** Some private windows store nothing: then a tab has the key until it is closed. */
let isStored = true;

const answered = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((done, failed) => {
    asked.addEventListener("success", () => done(asked.result));
    asked.addEventListener("error", () => failed(asked.error ?? new Error("The browser's database did not answer.")));
  });

async function inStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE));
  const database = await answered(opening);
  try {
    return await answered(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

const isKey = (found: unknown): found is BrowserKey =>
  typeof found === "object" && found !== null && "shared" in found && found.shared instanceof CryptoKey;

/** Another tab may have got a newer one. */
export async function readKey(): Promise<BrowserKey | undefined> {
  if (!isStored) return held;
  const stored: unknown = await inStore("readonly", (store) => store.get(NAME)).catch(() => undefined);
  if (isKey(stored)) held = stored;
  return held;
}

export async function keepKey(key: BrowserKey): Promise<void> {
  held = key;
  isStored = await inStore("readwrite", (store) => store.put(key, NAME)).then(
    () => true,
    () => false,
  );
}

/** The board does not know it any more. A newer one, of another tab, stays. */
export async function forgetKey({ id }: BrowserKey): Promise<void> {
  const stored = await readKey();
  if (stored?.id !== id) return;
  held = undefined;
  await inStore("readwrite", (store) => store.delete(NAME)).catch(() => undefined);
}

/** Always a new one: whoever left one here may know it. `key`: the public half, as the board takes it. */
export async function makeKey(): Promise<{ readonly own: CryptoKey; readonly key: string }> {
  const made = await crypto.subtle.generateKey(KIND, false, ["sign"]);
  return { own: made.privateKey, key: toBase64Url(await crypto.subtle.exportKey("spki", made.publicKey)) };
}

/** What the header of a signed request carries. */
export async function sign(own: CryptoKey, asked: Omit<SignedRequest, "port" | "bodyHash">, body: string) {
  const bodyHash = toHex(await crypto.subtle.digest("SHA-256", toBytes(body)));
  const text = signedText({ ...asked, port: port(), bodyHash });
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, own, toBytes(text));
  return `${asked.nonce} ${asked.time} ${toBase64Url(signature)}`;
}

const MAC = { name: "HMAC", hash: "SHA-256" } as const;

export const readShared = (text: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", fromBase64Url(text), MAC, false, ["verify"]);

export const makeChallenge = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)).buffer);

/** Whether it was the board that answered, and no other program that has its port. */
export const isProof = ({ shared }: BrowserKey, challenge: string, proof: string): Promise<boolean> =>
  crypto.subtle.verify(MAC, shared, fromBase64Url(proof), toBytes(provingText(port(), challenge)));

const port = (): number => Number(location.port || 80);

const toBytes = (text: string) => new TextEncoder().encode(text);

const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Nothing, if it is none: then no signature fits. */
function fromBase64Url(text: string) {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
