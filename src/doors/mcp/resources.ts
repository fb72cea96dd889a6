// The plan as resources: what can be read by its address, and who is told when it changes.

import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Result, usage } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { BUDGET, cleaned, fitBudget, tidy } from "./shorten.js";

const SCHEME = "planwright://";
const PLAN = `${SCHEME}plan`;
const NEWS = `${SCHEME}news`;
const MIME = "application/json";

/** Each kind of thing that has an address, with the operation that reads it. */
const KINDS = {
  node: { summary: "A node of the plan", read: (app: App, id: string) => app.call("show", { reference: id }) },
  bundle: {
    summary: "Whether the packed context of a task is still whole",
    read: (app: App, id: string) => app.call("bundle.check", { reference: id }),
  },
  run: { summary: "A planning run", read: (app: App, id: string) => app.call("plan.show", { run: id }) },
  operation: {
    summary: "What one operation changed",
    read: async (app: App, id: string): Promise<Result<unknown>> =>
      /^\d{1,15}$/.test(id)
        ? app.call("diff", { operation: Number(id), limit: 200 })
        : usage("invalid-input", "An operation has a number."),
  },
} as const;

export function registerResources(
  server: McpServer,
  appFor: (context: ServerContext) => Promise<App>,
  canSubscribe: boolean,
): void {
  if (canSubscribe) server.server.registerCapabilities({ resources: { subscribe: true } });
  const reading = async (uri: URL, context: ServerContext, read: (app: App) => Promise<Result<unknown>>) => {
    const found = await read(await appFor(context)).catch(failureOf);
    if (!found.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, cleaned(found.error.message));
    const text = JSON.stringify(fitBudget(tidy(found.value, true), BUDGET.detail).value);
    return { contents: [{ uri: uri.href, mimeType: MIME, text }] };
  };
  server.registerResource(
    "plan",
    PLAN,
    { description: "The plan as a tree, with progress", mimeType: MIME },
    (uri, context) => reading(uri, context, (app) => app.call("status", {})),
  );
  server.registerResource("news", NEWS, { description: "What happened, unread", mimeType: MIME }, (uri, context) =>
    reading(uri, context, (app) => app.call("news.read", { peek: true, limit: 50 })),
  );
  for (const [kind, { summary, read }] of Object.entries(KINDS)) {
    const template = new ResourceTemplate(`${SCHEME}${kind}/{id}`, { list: undefined });
    server.registerResource(kind, template, { description: summary, mimeType: MIME }, (uri, { id }, context) =>
      reading(uri, context, (app) => read(app, decodeURIComponent(String(id)))),
    );
  }
}

/** Which addresses an operation concerns. */
function changedAddresses(op: number, targets: readonly { readonly entity: string; readonly id: string }[]): string[] {
  const named = targets.flatMap(({ entity, id }) => {
    const kind = entity === "node" || entity === "run" ? entity : undefined;
    return kind === undefined ? [] : [`${SCHEME}${kind}/${encodeURIComponent(id)}`];
  });
  return [...new Set([PLAN, NEWS, ...named, `${SCHEME}operation/${op}`])];
}

/** Tells about every change from now on, until the signal. Answers as soon as no change can be missed. */
export async function announceChanges(
  app: App,
  signal: AbortSignal,
  tell: (uri: string) => Promise<void>,
): Promise<{ readonly ended: Promise<void> }> {
  const { store } = await app.open();
  const last = await store.read((reader) => reader.lastOperation());
  return { ended: announceAfter(last, app, signal, tell) };
}

/** Whoever watches single nodes of a larger change looks at the plan. */
const MOST_ROWS = 100;

async function announceAfter(
  last: number,
  app: App,
  signal: AbortSignal,
  tell: (uri: string) => Promise<void>,
): Promise<void> {
  for await (const { op } of app.follow(last, { signal })) {
    const changed = await app.call("diff", { operation: op, limit: MOST_ROWS });
    if (!changed.ok) continue;
    for (const uri of changedAddresses(op, changed.value.changes)) await tell(uri);
  }
}
