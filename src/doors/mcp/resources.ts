// The plan as resources: what can be read by its address, and who is told when it changes.

import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { VerbName } from "../../model/next-step.js";
import { type Result, usage } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { allFacts } from "../../verbs/kit/facts.js";
import type { Resource } from "../../verbs/kit/verb.js";
import { harmless } from "../../verbs/kit/wording.js";
import { BUDGET, fitBudget, tidy } from "./shorten.js";

const SCHEME = "planwright://";
const MIME = "application/json";

interface NamedResource extends Resource {
  readonly verb: VerbName;
}

const RESOURCES: readonly NamedResource[] = allFacts().flatMap(({ name, resource }) =>
  resource ? [{ ...resource, verb: name }] : [],
);

export function resourceAt(address: string): NamedResource {
  const found = RESOURCES.find((each) => each.address === address);
  if (!found) throw new Error(`No verb reads ${SCHEME}${address}.`);
  return found;
}

export const inputAt = ({ field, fixed }: Resource, id: unknown): Readonly<Record<string, unknown>> => ({
  ...fixed,
  ...(field !== undefined && { [field]: id }),
});

async function readAt(resource: NamedResource, app: App, id: string): Promise<Result<unknown>> {
  const { verb, address, numbered } = resource;
  if (numbered && !/^\d{1,15}$/.test(id))
    return usage("invalid-input", `${/^[aeiou]/.test(address) ? "An" : "A"} ${address} has a number.`);
  return app.ask(verb, inputAt(resource, numbered ? Number(id) : id));
}

type AppFor = (context: ServerContext) => Promise<App>;

export function registerResources(server: McpServer, appFor: AppFor, canSubscribe: boolean): void {
  if (canSubscribe) server.server.registerCapabilities({ resources: { subscribe: true } });
  const reading = async (uri: URL, context: ServerContext, read: (app: App) => Promise<Result<unknown>>) => {
    const found = await read(await appFor(context)).catch(failureOf);
    if (!found.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, harmless(found.error.message));
    const text = JSON.stringify(fitBudget(tidy(found.value, true), BUDGET.detail).value);
    return { contents: [{ uri: uri.href, mimeType: MIME, text }] };
  };
  for (const resource of RESOURCES) {
    const { address, summary: description, field } = resource;
    const about = { description, mimeType: MIME };
    if (field === undefined)
      server.registerResource(address, SCHEME + address, about, (uri, context) =>
        reading(uri, context, (app) => readAt(resource, app, "")),
      );
    else
      server.registerResource(
        address,
        new ResourceTemplate(`${SCHEME}${address}/{id}`, { list: undefined }),
        about,
        (uri, { id }, context) => reading(uri, context, (app) => readAt(resource, app, decodeURIComponent(String(id)))),
      );
  }
}

interface Target {
  readonly entity: string;
  readonly id: string;
}

function changedAddresses(op: number, targets: readonly Target[]): string[] {
  const always = RESOURCES.filter(({ field }) => field === undefined).map(({ address }) => SCHEME + address);
  const named = targets
    .filter(({ entity }) => RESOURCES.some(({ address, field }) => address === entity && field !== undefined))
    .map(({ entity, id }) => `${SCHEME}${entity}/${encodeURIComponent(id)}`);
  return [...new Set([...always, ...named, `${SCHEME}${OPERATION.address}/${op}`])];
}

/** Whoever watches single nodes of a larger change than it tells of looks at the plan. */
const OPERATION = resourceAt("operation");

/** Tells about every change from now on, until the signal. Answers as soon as no change can be missed. */
export async function announceChanges(app: App, signal: AbortSignal, tell: (uri: string) => Promise<void>) {
  const { store } = await app.open();
  const last = await store.read((reader) => reader.lastOperation());
  return { ended: announceAfter(last, app, signal, tell) };
}

async function announceAfter(last: number, app: App, signal: AbortSignal, tell: (uri: string) => Promise<void>) {
  for await (const { op } of app.follow(last, { signal })) {
    const changed = await readAt(OPERATION, app, String(op));
    if (!changed.ok) continue;
    const { changes } = changed.value as { readonly changes: readonly Target[] };
    for (const uri of changedAddresses(op, changes)) await tell(uri);
  }
}
