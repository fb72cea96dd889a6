// One request to the server. An answer is data, also when it says no; trouble on the way becomes a failure of the same shape.

import { SIGNATURE_HEADER } from "../../../src/model/signed-request.js";
import { readKey, sign } from "./browser-key.js";
import { dropToken, isForeign, token } from "./token.js";
import type { Answer, ApiFailure, Input, Output, VerbName } from "./types.js";

/** Longer than any read takes; what runs something may take much longer. */
const READ_MS = 30_000;

const LATE = `The server did not answer within ${READ_MS / 1_000} seconds. It may be busy: try again.`;

const trouble = (reason: string, message: string): { readonly ok: false; readonly error: ApiFailure } => ({
  ok: false,
  error: { reason, message, details: null, next: [] },
});

const isAnswer = (value: unknown): value is Answer<unknown> =>
  typeof value === "object" && value !== null && "ok" in value && typeof value.ok === "boolean";

type Sent = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

/** Asks the server. `text` is what it answered, to tell whether anything changed. */
export async function request<T>(
  path: string,
  init: Sent = {},
): Promise<{ readonly answer: Answer<T>; readonly text: string }> {
  const held = token.get();
  const headers = { ...init.headers, ...(held !== undefined && { authorization: `Bearer ${held}` }) };
  try {
    const response = await fetch(path, { ...init, headers, credentials: "omit", cache: "no-store" });
    const text = await response.text();
    if (response.status === 401 && held !== undefined) dropToken(held);
    const value: unknown = text === "" ? null : JSON.parse(text);
    if (isAnswer(value)) return { answer: value as Answer<T>, text };
    return { answer: trouble("bad-answer", `The server answered ${response.status} without a reason.`), text };
  } catch (error) {
    const isLate = error instanceof DOMException && /^(?:Abort|Timeout)Error$/.test(error.name);
    if (isLate) return { answer: trouble("timeout", LATE), text: "" };
    return { answer: trouble("offline", "The server does not answer. Is the board still running?"), text: "" };
  }
}

export const post = (body: unknown, signal?: AbortSignal): Sent => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  ...(signal && { signal }),
});

const address = (name: VerbName, at: number | null): string =>
  `/api/operations/${name}${at === null ? "" : `?at=${at}`}`;

/** Asks for a read, now or at a past moment. */
export async function ask<Name extends VerbName>(
  name: Name,
  input: Input<Name>,
  at: number | null = null,
  left?: AbortSignal,
): Promise<{ readonly answer: Answer<Output<Name>>; readonly text: string }> {
  if (isForeign.get()) return { answer: trouble("foreign", "Your board does not answer here."), text: "" };
  const late = AbortSignal.timeout(READ_MS);
  return request<Output<Name>>(address(name, at), post(input, left ? AbortSignal.any([late, left]) : late));
}

/** Posts what only a page of this browser may ask for. `own`: the key that signs it; the one that is kept, unless given. */
export async function postSigned<T>(path: string, input: unknown, own?: CryptoKey): Promise<Answer<T>> {
  const method = "POST";
  const body = JSON.stringify(input);
  const by = own ?? (await readKey())?.own;
  if (by === undefined) return trouble("needs-signature", "This browser has no key. Type a new code.");
  const { answer } = await request<{ readonly nonce: string; readonly time: number }>("/api/session/nonce");
  if (!answer.ok) return answer;
  const signature = await sign(by, { method, path, ...answer.data }, body);
  const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: signature };
  return (await request<T>(path, { method, headers, body })).answer;
}

/** Asks for a change. It may run for as long as it needs. */
export const change = (name: VerbName, input: unknown): Promise<Answer<unknown>> =>
  postSigned<unknown>(address(name, null), input);
