// Takes secrets out of text that is kept. Two kinds are known: values of environment variables whose names
// say that they are secret, and text that has the form of a well-known key.

export type Redact = (text: string) => string;

const SECRET_NAME =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|PRIVATE|AUTH|_PAT|_DSN|DATABASE_URL)/i;

/** Shorter values occur in any text by chance. */
const SHORTEST_VALUE = 8;

/** Such as a path to a key file, a switch or a number: names of these may look secret. */
const HARMLESS_VALUE = /^(\/[\w.\-/ ]*|[A-Za-z]:\\.*|true|false|disabled|enabled|\d+)$/;

const isSecret = ([name, value]: readonly [string, string]): boolean =>
  SECRET_NAME.test(name) && value.length >= SHORTEST_VALUE && !HARMLESS_VALUE.test(value);

const FORMS: readonly (readonly [string, RegExp])[] = [
  [
    "private key",
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----[\s\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|$)/g,
  ],
  ["key", /\bsk-[A-Za-z0-9_-]{8,}/g],
  ["key", /\b[rs]k_(live|test)_[A-Za-z0-9]{8,}/g],
  ["token", /\bgh[pousr]_[A-Za-z0-9]{16,}/g],
  ["token", /\bgithub_pat_[A-Za-z0-9_]{16,}/g],
  ["token", /\bglpat-[A-Za-z0-9_-]{16,}/g],
  ["token", /\bnpm_[A-Za-z0-9]{20,}/g],
  ["token", /\bhf_[A-Za-z0-9]{20,}/g],
  ["token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ["key", /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["key", /\bAIza[A-Za-z0-9_-]{30,}/g],
];

/** Three parts of letters with dots between. The first is found once in each word: to look for it at every dash takes hours. */
const WEB_TOKEN = /(?<![\w-])(?=([\w-]*?)\b(eyJ[\w-]{8,}))\1\2\.eyJ[\w-]{8,}\.[\w-]+/g;

/** Here the words around it are kept, so that one still sees what it was. */
const NAMED_FORMS: readonly RegExp[] = [
  /\b(Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  /\b((?:x-api-key|api[-_]?key|authorization|password|passwd|secret|token)["']?\s*[:=]\s*["']?)(?!\[redacted|bearer\b)[^\s"',;}[\]]{8,}/gi,
  /(:\/\/[^\s:@/]+:)[^\s@/]+(?=@)/g,
];

/** `://a:b@`, in characters: whatever is shorter holds no secret that one could know. */
const SHORTEST_FORM = 7;

const byLength = (a: readonly [string, string], b: readonly [string, string]): number => b[1].length - a[1].length;

/** Values may come back as part of an address. */
const spellings = ([name, value]: readonly [string, string]): (readonly [string, string])[] =>
  [...new Set([value, encodeURIComponent(value)])].map((spelling) => [name, spelling]);

export function redactorFor(env: Readonly<Record<string, string | undefined>>): Redact {
  const values = Object.entries(env)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .filter(isSecret)
    .flatMap(spellings)
    .sort(byLength);
  return (text) => (text.length < SHORTEST_FORM ? text : withoutSecrets(text, values));
}

function withoutSecrets(text: string, values: readonly (readonly [string, string])[]): string {
  let clean = text;
  for (const [name, value] of values) clean = clean.replaceAll(value, () => `[redacted ${name}]`);
  for (const [what, form] of FORMS) clean = clean.replace(form, `[redacted ${what}]`);
  clean = clean.replace(WEB_TOKEN, "$1[redacted token]");
  for (const form of NAMED_FORMS) clean = clean.replace(form, (_, before: string) => `${before}[redacted]`);
  return clean;
}

/** The same value with every text in it cleaned, names of properties included. */
export function redactAll(value: unknown, redact: Redact): unknown {
  const clean = (item: unknown): unknown => {
    if (typeof item === "string") return redact(item);
    if (Array.isArray(item)) return item.map(clean);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [redact(name), clean(inner)]));
  };
  return clean(value);
}
