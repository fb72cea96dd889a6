// Posts the news to an address. Only over an encrypted connection or to this machine, unless it is allowed; never on to
// another address, since a redirect could lead anywhere.

import { setTimeout as after } from "node:timers/promises";
import type { Announcement } from "./message.js";

export interface Webhook {
  readonly url: string;
  readonly allowHttp: boolean;
  readonly timeoutSeconds: number;
  readonly retries: number;
}

/** Before the first repetition; it doubles each time. */
const BACKOFF_MS = 500;

/** An address may hold a secret, so no message has more of it than its host. */
export async function notifyWebhook(
  announcement: Announcement,
  { url, allowHttp, timeoutSeconds, retries }: Webhook,
  backoffMs = BACKOFF_MS,
): Promise<void> {
  const { protocol, host, hostname } = new URL(url);
  if (protocol !== "https:" && !isThisMachine(hostname) && !allowHttp) {
    throw new Error(`${host} would get the news unencrypted. Use https, or set webhook.allowHttp.`);
  }
  for (let round = 0; ; round++) {
    const problem = await post(url, announcement, timeoutSeconds * 1000);
    if (problem === null) return;
    if (!problem.mayPass || round >= retries) throw new Error(`${host} ${problem.text}.`);
    await after(backoffMs * 2 ** round);
  }
}

const isThisMachine = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

interface Problem {
  readonly text: string;
  /** It may be gone the next time. */
  readonly mayPass: boolean;
}

async function post(url: string, announcement: Announcement, timeoutMs: number): Promise<Problem | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", "user-agent": "planwright" },
      body: JSON.stringify(announcement),
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Nobody reads the answer, and an unread one would hold the connection.
    await response.body?.cancel();
    const { status } = response;
    if (status >= 200 && status < 300) return null;
    if (status >= 300 && status < 400) return { text: "sent the news on to another address", mayPass: false };
    return { text: `answered with ${status}`, mayPass: status >= 500 || status === 429 || status === 408 };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return { text: isLate ? `did not answer within ${timeoutMs / 1000} s` : "could not be reached", mayPass: true };
  }
}
