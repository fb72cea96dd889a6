// What every answer has: the headers that keep it out of frames, caches and other pages, and JSON in the one envelope.

import type { IncomingMessage, ServerResponse } from "node:http";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const ALWAYS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

export type Headers = Readonly<Record<string, string>>;

export const writeHead = (response: ServerResponse, status: number, headers: Headers): void => {
  response.writeHead(status, { ...ALWAYS, ...headers });
};

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  const text = JSON.stringify(body);
  writeHead(response, status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    "cache-control": "no-store",
    ...headers,
  });
  response.end(text);
}

export function sendRefusal(
  response: ServerResponse,
  status: number,
  reason: string,
  message: string,
  headers: Headers = {},
): void {
  sendJson(response, status, { ok: false, error: { reason, message, details: null, next: [] } }, headers);
}

export type Body =
  | { readonly ok: true; readonly value: unknown; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly status: 400 | 413 | 415; readonly reason: string; readonly message: string };

/** Larger than any plan that a person writes at once, and small enough to be read at once. */
const MAX_BODY_BYTES = 2_000_000;

/** For whoever has not signed in: many of them at once must not fill the memory. */
export const SIGN_IN_BYTES = 10_000;

/** The body as JSON, `{}` if there is none, and as it was sent. What is too large is not read to its end. */
export async function readJson(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Body> {
  const { "content-type": type = "", "content-length": length = "0" } = request.headers;
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    return { ok: false, status: 415, reason: "not-json", message: "Send JSON, with content-type application/json." };
  if (Number(length) > limit) return tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) return tooLarge(limit);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  try {
    return { ok: true, value: text.trim() === "" ? {} : JSON.parse(text), bytes };
  } catch {
    return { ok: false, status: 400, reason: "bad-json", message: "The body is not JSON." };
  }
}

const tooLarge = (limit: number): Body => ({
  ok: false,
  status: 413,
  reason: "too-large",
  message: `The body has more than ${limit} bytes. Send it in parts.`,
});
