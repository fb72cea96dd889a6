import { isPerson } from "../../model/actor.js";
import { type Occupied, occupiedBy, overlapsOf } from "../../model/conflict/conflict.js";
import type { ClaimedCheckout } from "../../model/item/claim-notes.js";
import { byUrgency, isContainer, type Node } from "../../model/node/node.js";
import { type Change, changeFocus, changeNode } from "../../model/operation/change.js";
import { type ClaimTerms, claimPatch, expirePatch } from "../../model/rules/claim.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import { holds } from "../../model/status/holds.js";
import { ALONE, isClaimable } from "../../model/status/status.js";
import { type FocusOwner, focusKey } from "../../plan/base/focus.js";
import { gatherSurroundings, IN_FLIGHT } from "../../plan/base/surroundings.js";
import { type Assignment, type Drafted, draftAssignment, toAssignment } from "../../plan/claim/assignment.js";
import { claimedCheckout, noteCheckout } from "../../plan/claim/claim-notes.js";
import { EXPIRED_AT_ONCE, expireLeases, leaseMs, type StartInput } from "../../plan/claim/lease.js";
import { isOfOther } from "../../plan/claim/session-notes.js";
import { makeToken } from "../../plan/claim/token.js";
import { requireIntact } from "../../plan/node/require-intact.js";
import { type NodeView, toView } from "../../plan/node/view.js";
import type { InFlight, Reader, Writer } from "../../store/store.js";
import { fields, filled, flag, type Infer, node, optional, rule, wholeNumber } from "../kit/schema.js";
import type { Session } from "../kit/session.js";
import { absent, act, type Context, ok, planVerb, type Result, resolve, spoken, step } from "../kit/verb.js";
import { renderAssignment, renderNode } from "../node/render-node.js";
import { completeStep, type GivenTask, leaseMinutes, noteConversation } from "./claim-parts.js";
import { openClaim } from "./open-claim.js";

export const input = fields({
  reference: optional(node("this task, or the most urgent one below this node; otherwise of the whole plan")),
  despite: optional(filled("why you claim this task although work in progress touches the same files", "REASON")),
  in: optional(node("only below this node")),
  count: optional(wholeNumber("claim up to N tasks", 1, 1000)),
  peek: optional(flag("only show what would come, and claim nothing")),
  leaseMinutes: leaseMinutes(),
}).check(
  rule(
    "in",
    "cannot be combined with a node",
    ({ reference, in: inside }) => reference === undefined || inside === undefined,
  ),
);

export const verb = planVerb({
  command: {
    words: "next",
    group: "work",
    daily: 7,
    positional: ["reference"],
    flags: { leaseMinutes: "lease" },
    aliases: ["start"],
  },
  summary: "Claim a task: the most urgent one, or one that you choose",
  description:
    "Claims it for you with a lease, and puts it in focus. Your focus comes first, then the whole plan; agents get the whole plan. A conversation of an agent does one task at a time: while it holds one, it gets that one again. Keep the token: it proves that the claim is yours. A task that you name is refused, with the reason, when it is not ready; if you hold its claim already, you get it back with a new token. You can claim one that overlaps with work in progress if you say why.",
  effect: "writes",
  looksOnly: ({ peek }) => peek === true,
  answersQuestions: "peek",
  phrases: spoken(
    "next, next task, next one, the next one, what's next, what is next, what comes next, claim next, " +
      "claim the next, dispatch next, give me work, give me a task, give me something to do, gimme a task, " +
      "assign me something, assign me a task, what should i do, what do i do, what shall i do, " +
      "what should i work on, what can i work on, what can i do, ready to work on, task should i, task can i, " +
      "comes after this, what now, now what, most urgent task, next … task, next … one, next … ticket, " +
      "what could i work on, what could i do, what can we work on, what could we work on, give me something, " +
      "get me something",
  ),
  weakPhrases: spoken("pick up, claim, take, i'll take"),
  emptyWords:
    "next one task ticket item thing something work do grab take fetch get give gimme hand pull pick up claim " +
    "start begin assign move continue on onto off queue up me should shall comes come after this ready now free " +
    "resume have ready let",
  hints: ["claim"],
  tools: [
    { tool: "claim", action: "next", fields: ["in", "peek"] },
    { tool: "claim", action: "start", fields: ["reference", "despite"] },
  ],
  input,
  examples: [
    { input: {}, does: "claims one task and shows it with its token" },
    { input: { reference: "TASK-00007" }, does: "claims this task" },
    { input: { peek: true }, does: "shows what would come" },
    { input: { in: "FEAT-001", count: 3 }, does: "claims up to three tasks of one feature" },
  ],
  run: async (
    session,
    { reference, despite, in: inside, peek: isPeek = false, ...rest },
  ): Promise<Result<NextAnswer>> => {
    const { store } = session;
    const named =
      reference === undefined ? undefined : await store.read((reader) => resolve(reader, reference, session));
    if (named && !named.ok) return named;
    if (named?.value.tier === "task") {
      const { id } = named.value;
      if (isPeek) return store.read(async (reader) => ok({ task: await toView(reader, named.value) }));
      return startNamed(session, { ...rest, reference: id, ...(despite !== undefined && { despite }) });
    }
    const held = isPeek || rest.count !== undefined ? undefined : await openClaim(session);
    if (held !== undefined) {
      const again = await startNamed(session, { reference: held });
      return again.ok ? ok({ ...again.value, yoursAlready: true }) : again;
    }
    const within = inside ?? reference;
    const asked = { ...rest, ...(within !== undefined && { in: within }) };
    const found = isPeek ? await peek(session, asked) : await next(session, asked);
    if (!found.ok) return (await import("../kit/waiting-hint.js")).withWaiting(session, found);
    const given = found.value.map((each) => ("task" in each ? each : { task: each }));
    noteConversation(session, given);
    return ok(rest.count === undefined && given[0] ? given[0] : given);
  },
  text: (answer, style) =>
    [answer]
      .flat()
      .map((given) => (isAssignment(given) ? renderAssignment(given, style) : renderNode(given.task, style)))
      .join("\n\n"),
  note: (answer) => {
    const given = [answer].flat().filter(isAssignment);
    if (given.some(({ yoursAlready }) => yoursAlready))
      return "You hold this task already. Hand it in or release it before you claim the next one, or claim another by its id.";
    const hasOthers = given.some(({ alsoYours }) => alsoYours !== undefined);
    return hasOthers ? "You hold other tasks as well. Hand them in or release them." : "";
  },
  next: (answer) =>
    [answer]
      .flat()
      .slice(0, 1)
      .flatMap((given) =>
        isAssignment(given) ? [completeStep(given), given.context] : [step("next", { reference: given.task.id })],
      ),
});

async function startNamed(session: Session, input: StartInput): Promise<Result<Assignment>> {
  const { start } = await import("../../plan/claim/start.js");
  const started = await start(session, input);
  if (started.ok) noteConversation(session, [started.value]);
  return started;
}

/** One task, or a list when a number of tasks was asked for. Without a token it was only shown. */
type NextAnswer = GivenTask | readonly GivenTask[];

const isAssignment = (given: GivenTask): given is Assignment => "token" in given;

type NextInput = Pick<Infer<typeof input>, "in" | "count" | "leaseMinutes">;

export async function next(context: Context, input: NextInput): Promise<Result<Assignment[]>> {
  const checkout = await claimedCheckout(context);
  let claimed = await claim(context, input, checkout, "look");
  if (claimed.ok && claimed.value === LEASES_ENDED) {
    await expireLeases(context);
    claimed = await claim(context, input, checkout, "looked");
  }
  if (!claimed.ok) return claimed;
  const assignments: Assignment[] = [];
  for (const drafted of claimed.value ?? []) assignments.push(await toAssignment(context, drafted, checkout));
  return ok(assignments);
}

/** A lease that ended is an operation of its own, before this one. */
const LEASES_ENDED = null;

/** One transaction, with a look at the leases in it: a second one for that would be a tenth of the work. */
async function claim(context: Context, input: NextInput, checkout: ClaimedCheckout | null, leases: "look" | "looked") {
  const committed = await act<Drafted[] | typeof LEASES_ENDED>(context, "next", async (writer, at) => {
    const inFlight = await writer.inFlight(IN_FLIGHT);
    if (leases === "look" && hasEnded(inFlight, at)) return ok({ sentence: "", changes: [], value: LEASES_ENDED });
    const asker = askerOf(context);
    const found = await candidates(writer, asker, input, { inFlight, returned: [] });
    const intact = found.ok ? await requireIntact(writer, found.value) : found;
    if (!intact.ok) return intact;
    const alsoYours = await heldBy(writer, asker, inFlight);
    const terms = { at, leaseMs: leaseMs(context, input), checkout, alsoYours };
    return found.ok ? ok(await assign(writer, context, found.value, terms)) : found;
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

async function heldBy(reader: Reader, { actor, isElsewhere }: WorkSeeker, inFlight: readonly InFlight[]) {
  const ids = inFlight.flatMap(({ id, by }) => (by === actor ? [id] : []));
  if (ids.length === 0) return ids;
  const elsewhere = new Set((await reader.byIds(ids)).filter(isElsewhere).map(({ id }) => id));
  return ids.filter((id) => !elsewhere.has(id));
}

type Terms = Pick<ClaimTerms, "at" | "leaseMs"> & { checkout: ClaimedCheckout | null; alsoYours: readonly string[] };

async function assign(
  writer: Writer,
  asker: FocusOwner,
  nodes: readonly Node[],
  { checkout, alsoYours, ...terms }: Terms,
) {
  const { at } = terms;
  const { actor: by } = asker;
  const changes: Change[] = [];
  const drafts: Drafted[] = [];
  for (const node of nodes) {
    const { token, hash } = await makeToken(writer);
    const patch = claimPatch(node, { by, token: hash, ...terms });
    changes.push(...changeNode(node, patch), ...(await noteCheckout(writer, node, checkout)));
    drafts.push(await draftAssignment(writer, { ...node, ...patch }, { token, until: at + terms.leaseMs }, alsoYours));
  }
  const last = nodes.at(-1) as Node;
  const key = focusKey(asker);
  changes.push(...changeFocus(key, await writer.focus(key), last.nr));
  return { sentence: `${by} claimed ${nodes.map((node) => node.id).join(", ")}`, changes, value: drafts };
}

/** What `next` would give, without giving it. A claim whose lease has ended counts as given back. */
export function peek(context: Context, input: NextInput): Promise<Result<NodeView[]>> {
  return context.store.read(async (reader) => {
    const at = context.now();
    const inFlight = await reader.inFlight(IN_FLIGHT);
    const around = hasEnded(inFlight, at)
      ? await afterExpiry(reader, context, at, inFlight)
      : { inFlight, returned: [] };
    const found = await candidates(reader, askerOf(context), input, around);
    if (!found.ok) return found;
    return ok(await Promise.all(found.value.map((node) => toView(reader, node))));
  });
}

/** What others are working on, and what would come back from those whose lease has ended. */
interface WorkInFlight {
  readonly inFlight: readonly InFlight[];
  readonly returned: readonly Node[];
}

const hasEnded = (inFlight: readonly InFlight[], at: number): boolean => inFlight.some(({ until }) => until < at);

async function afterExpiry(reader: Reader, context: Context, at: number, all: readonly InFlight[]) {
  const expired = await reader.claimed({ expiredBy: at, limit: EXPIRED_AT_ONCE });
  const returned = expired
    .map((node): Node => ({ ...node, ...expirePatch(node, at, context.settings.maxRetries, context.actor) }))
    .filter(isClaimable);
  const gone = new Set(returned.map(({ nr }) => nr));
  return { inFlight: all.filter(({ nr }) => !gone.has(nr)), returned };
}

const askerOf = ({ actor, root, conversation }: Context): WorkSeeker => ({
  actor,
  conversation,
  isElsewhere: (task) => isOfOther(root, conversation, task),
});

/** A person's focus comes first, then the whole plan; agents get the whole plan. */
async function candidates(
  reader: Reader,
  asker: WorkSeeker,
  { in: within, count: limit = 1 }: NextInput,
  around: WorkInFlight,
): Promise<Result<Node[]>> {
  const { actor } = asker;
  const named = within === undefined ? undefined : await resolve(reader, within, asker);
  if (named && !named.ok) return named;
  const scope = named?.value;
  const focused = scope || !isPerson(actor) ? undefined : await focusScope(reader, actor);
  const found = await mostUrgent(reader, limit, around, scope ?? focused);
  if (focused && found.length < limit) {
    const near = new Set(found.map((node) => node.nr));
    const anywhere = await mostUrgent(reader, limit + found.length, around);
    found.push(...anywhere.filter((node) => !near.has(node.nr)).slice(0, limit - found.length));
  }
  return found.length > 0 ? ok(found) : nothingReady(reader, asker, scope);
}

const MAX_TASKS_READ = 2_000;

/** Few are read at first: mostly the most urgent one is free. */
async function mostUrgent(reader: Reader, limit: number, around: WorkInFlight, within?: Node): Promise<Node[]> {
  const occupied = occupiedBy(around.inFlight);
  for (let looked = limit; ; looked = Math.min(looked * 20, MAX_TASKS_READ)) {
    const ready = await ranked(reader, looked, around.returned, within);
    const free = freeTasks(ready, occupied, limit);
    if (free.length === limit || ready.length < looked || looked >= MAX_TASKS_READ) return free;
  }
}

/** Tasks that nothing holds back, not even an earlier one of the same list. */
function freeTasks(ready: readonly Node[], occupied: readonly Occupied[], limit: number): Node[] {
  const taken = [...occupied];
  const free: Node[] = [];
  for (const node of ready) {
    if (free.length === limit) break;
    if (holds(node, { around: { ...ALONE, overlaps: overlapsOf(node, taken) } }, "self").length > 0) continue;
    free.push(node);
    taken.push(...occupiedBy([node]));
  }
  return free;
}

async function ranked(reader: Reader, limit: number, returned: readonly Node[], within?: Node): Promise<Node[]> {
  const ready = await reader.claimable({ ...(within ? { within } : {}), limit });
  if (returned.length === 0) return ready;
  const inside: Node[] = [];
  for (const node of returned) if (!within || (await isInside(reader, node, within))) inside.push(node);
  return [...ready, ...inside].sort(byUrgency).slice(0, limit);
}

const isInside = async (reader: Reader, node: Node, scope: Node): Promise<boolean> =>
  node.nr === scope.nr || (await reader.ancestors(node.nr)).some((above) => above.nr === scope.nr);

async function focusScope(reader: Reader, actor: string): Promise<Node | undefined> {
  const nr = await reader.focus(actor);
  const node = nr === null ? undefined : await reader.node(nr);
  return node?.tier === "task" && node.parent !== null ? reader.node(node.parent) : node;
}

const MAX_TASKS_NAMED = 5;
const MAX_CLAIMS_READ = 200;
/** Nodes that are looked at for the most urgent tasks: not the whole plan. */
const MAX_NODES_READ = 100;

interface WorkSeeker extends FocusOwner {
  readonly isElsewhere: (task: Node) => boolean;
}

async function nothingReady(reader: Reader, { actor, isElsewhere }: WorkSeeker, scope?: Node): Promise<Result<never>> {
  const yours = (await reader.claimed({ limit: MAX_CLAIMS_READ }))
    .filter((node) => node.claim?.by === actor && !isElsewhere(node))
    .map(({ id }) => id);
  const held = await heldTasks(reader, scope);
  const where = scope === undefined ? "" : ` in ${scope.id}`;
  const [yourFirst] = yours;
  if (yourFirst !== undefined) {
    const them = yours.length === 1 ? "it" : "them";
    const message = `No other task${where} is ready. You hold ${yours.join(", ")}: hand ${them} in or release ${them}.`;
    const next = [step("next", { reference: yourFirst }), step("claim.release", { reference: yourFirst })];
    return absent("nothing-ready", message, { details: { held, yours }, next });
  }
  const [first] = held;
  return absent("nothing-ready", `No task${where} is ready.${whyHeld(held)}`, {
    details: { held },
    next: first ? [step("why", { reference: first.id }), step("status")] : [step("status")],
  });
}

function whyHeld(held: readonly HeldTask[]): string {
  const isUnapproved = ({ holds: [hold] }: HeldTask): boolean => hold?.reason === "unapproved";
  const [first] = held;
  if (first?.holds[0] === undefined) return "";
  if (!isUnapproved(first)) return ` ${first.id} comes next, but ${phraseOf(first.holds[0])}.`;
  const unapproved = held.filter(isUnapproved).map(({ id }) => id);
  return ` ${unapproved.join(", ")} ${unapproved.length === 1 ? "waits" : "wait"} for your approval.`;
}

/** A landing waits for the tasks of its feature, so they say more. */
const landsLast = (a: Node, b: Node) => Number(a.kind === "land") - Number(b.kind === "land") || byUrgency(a, b);

type HeldTask = Awaited<ReturnType<typeof heldTasks>>[number];

async function heldTasks(reader: Reader, scope: Node | undefined) {
  const ready = await reader.claimable({ ...(scope ? { within: scope } : {}), limit: MAX_TASKS_NAMED });
  const waiting = ready.length < MAX_TASKS_NAMED ? await openTasks(reader, scope) : [];
  const known = new Set(ready.map(({ nr }) => nr));
  const most = [...ready, ...waiting.filter(({ nr }) => !known.has(nr)).sort(landsLast)].slice(0, MAX_TASKS_NAMED);
  const holdsOf = async (task: Node) => holds(task, { around: await gatherSurroundings(reader, task) }, "self");
  return Promise.all(most.map(async (task) => ({ id: task.id, holds: await holdsOf(task) })));
}

/** The first open tasks in the order of the plan. Goes down from container to container, so it reads only a few of each. */
async function openTasks(reader: Reader, scope: Node | undefined): Promise<Node[]> {
  const found: Node[] = [];
  const stack = scope === undefined ? (await reader.children(null)).reverse() : [scope];
  let looked = 0;
  for (let node = stack.pop(); node && looked < MAX_NODES_READ; node = stack.pop()) {
    looked++;
    if (!isContainer(node)) {
      if (node.outcome === null) found.push(node);
      continue;
    }
    const { openChildren } = await reader.surroundings(node);
    const children = await reader.byIds(openChildren);
    stack.push(...children.sort((a, b) => b.nr - a.nr));
  }
  return found;
}
