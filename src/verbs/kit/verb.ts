// One thing that a person or an agent can ask for: its words, who may ask, what it takes, what it does, and how the answer reads.
// Everything that a door shows or reads is derived from this declaration, and doors hold no rule of their own.

import type * as z from "zod/mini";
import { isRecord } from "../../base/json.js";
import type { Environment } from "../../machine/process/environment.js";
import { type NextStep, step, type VerbInputs, type VerbName } from "../../model/next-step.js";
import type { Failure, Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import type { TakenOut } from "../../store/dialects/sqlite/taken-out.js";
import type { Upgrade } from "../../store/open/create.js";
import type { Restored } from "../../store/open/restore.js";
import { fields } from "./schema.js";
import type { Door, Session } from "./session.js";
import type { TOOL_DESCRIPTIONS } from "./tools.js";
import type { View } from "./view.js";

// What a verb's file is written with: the fields of its input, the plan, its answers with the next steps, and how they are shown.
export type { Item } from "../../model/item/item.js";
export { type NextStep, step } from "../../model/next-step.js";
export type { Node, Nr } from "../../model/node/node.js";
export type { Change } from "../../model/operation/change.js";
export * from "../../model/result.js";
export { act, actWithNumber, type Context } from "../../plan/base/context.js";
export { resolve, resolveAll } from "../../plan/base/resolve.js";
export type { Reader, Writer } from "../../store/store.js";
export * from "./schema.js";
export type { Door, LoadVerb, Session } from "./session.js";
export { type Style, widest } from "./style.js";
export type { LiveDisplay, Terminal, View } from "./view.js";
export * from "./wording.js";

export type Who = "person" | "both";

/** `runs`: starts commands, agents or git on this machine. */
export type Effect = "reads" | "writes" | "runs";

export const GROUPS = ["plan", "decide", "work", "look", "record", "tool", "agents"] as const;
export type Group = (typeof GROUPS)[number];

interface FieldSpelling {
  /** Fields that are written without a flag, in order. A list takes all that follow. */
  readonly positional?: readonly string[];
  /** Fields whose flag has another name than the field. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly short?: Readonly<Record<string, string>>;
  /** What these words mean already. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** Other words for the same verb, understood but shown nowhere unless it says so. Most are nothing but words. */
interface Alias extends FieldSpelling {
  readonly words: string;
  readonly shown?: true;
}

/** The words on the command line: `record add`. The first are the ones that are suggested. */
export interface CommandWords extends FieldSpelling {
  readonly words: string;
  readonly group: Group;
  /** On the first page of the help, in the order of a day. */
  readonly daily?: number;
  /** What the program does without any words, where there is a plan. One verb has it. */
  readonly bare?: true;
  readonly hidden?: true;
  /** Another verb has the same words: this one is meant where something tells it apart. */
  readonly when?: WhenMeant;
  readonly aliases?: readonly (string | Alias)[];
}

/** What tells verbs with the same words apart. */
export interface WhenMeant {
  /** The first argument is a key that begins so: `ATT` for `diff ATT-00001`. */
  readonly keys?: readonly string[];
  /** This flag is given: `context` for `show TASK-00007 --context`. */
  readonly flag?: string;
}

export interface ToolUse {
  readonly tool: keyof typeof TOOL_DESCRIPTIONS;
  /** A tool with one use has no actions. */
  readonly action?: string;
  readonly fields: readonly string[];
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** A client may ask for the next page, or for all of an answer that was cut. */
  readonly detail?: true;
  /** Nothing of the answer is left out: it is what somebody works from. */
  readonly whole?: true;
  /** The list in the answer that is given page by page; "" if the answer itself is the list. */
  readonly pages?: string;
}

/** Where an MCP client reads its answer: `planwright://run/RUN-001`. */
export interface Resource {
  /** What is read there: `run`. Each verb has another. */
  readonly address: string;
  readonly summary: string;
  /** The field that the end of the address fills. Without one there is one such resource, and every operation changes it. */
  readonly field?: string;
  readonly numbered?: true;
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** What has to be known of a verb without loading it: plain data, which the build collects from all verbs (facts.ts). */
export interface VerbFacts {
  readonly name: VerbName;
  readonly command: CommandWords;
  /** Verb first, at most 60 characters, no full stop. */
  readonly summary: string;
  readonly who: Who;
  readonly effect: Effect;
  /** It removes, resets or gives up something: never suggested as a command to copy. */
  readonly destructive?: true;
  /** Never suggested for a word that is only like its own: a slip of the finger must not lead here. */
  readonly unsuggested?: true;
  /** Says itself which settings are not trusted, or is asked for too often to say it. */
  readonly quiet?: true;
  /** Takes long: afterwards the end of the log is noted in git, as after whatever only a person may do. */
  readonly long?: true;
  readonly endsClaim?: true;
  /** What a person writes with it is in force at once: an agent that hides what it is must not get to it. */
  readonly inForce?: true;
  /** Shows what it is about to do and asks, whatever it is given. */
  readonly asksItself?: true;
  /** Takes keys of planning runs, questions and the like beside nodes. */
  readonly takesKeys?: true;
  /** Its argument may be a node, although it may be a number too. */
  readonly takesNode?: true;
  /** A question may run it, although it does not only read: with this flag it only looks. */
  readonly answersQuestions?: string;
  /** One undo takes it back, but it hides or replaces a branch: words that only mean it are asked back about. */
  readonly asksFirst?: true;
  /** Sentences that ask for it. The first is the verb by which people know it. */
  readonly phrases?: readonly string[];
  /** They ask for it only where the sentence asks for nothing else: "show" in "show conflicts" is no verb of its own. */
  readonly weakPhrases?: readonly string[];
  /** They ask for it only where a node that they name is frozen: "continue" may mean anything else. */
  readonly frozenPhrases?: readonly string[];
  /** Words that add nothing beside it, with spaces between them. */
  readonly emptyWords?: string;
  /** Single words that suggest it and never run it. */
  readonly hints?: readonly string[];
  readonly tools?: readonly ToolUse[];
  readonly resource?: Resource;
  /** Its answer lists everything that has keys of this kind, for completion. */
  readonly lists?: string;
  /** Takes plain words and answers with the verb that they mean: a door then runs that one. */
  readonly routes?: true;
  /** This field of its answer is told to the board with every session. */
  readonly session?: string;
}

export interface Example<Input = unknown> {
  readonly input: Input;
  readonly does: string;
}

interface Declaration<Schema extends z.ZodMiniObject, Output, Target>
  extends Omit<VerbFacts, "name" | "who">,
    View<NoInfer<Output>> {
  /** Only a person may do it. Everything else is open to agents too. */
  readonly who?: "person";
  /** A few sentences: what a reader has to know before using it. */
  readonly description?: string;
  /** With this input it only looks, whatever its effect is otherwise: a preview. */
  readonly looksOnly?: (input: z.output<Schema>) => boolean;
  /** Lines about a node that a person has to see before they say yes to this, beside its title. */
  readonly background?: (app: PlanAsker, reference: string) => Promise<string[]>;
  /** Exported by the verb's file, too. A verb that takes nothing has none. */
  readonly input?: Schema;
  readonly examples: readonly Example<z.input<Schema>>[];
  run(target: Target, input: z.output<Schema>): Promise<Result<Output>>;
}

export interface PlanVerb<Schema extends z.ZodMiniObject, Output> extends Declaration<Schema, Output, Session> {
  readonly on: "plan";
}

export interface FolderVerb<Schema extends z.ZodMiniObject, Output> extends Declaration<Schema, Output, Folder> {
  readonly on: "folder";
}

/** The list (verbs/list.ts) adds the name, and what the file does not say: who may ask, and that it takes nothing. */
type Loaded<Declared> = Omit<Declared, "who" | "input"> &
  Pick<VerbFacts, "name" | "who"> & { readonly input: z.ZodMiniObject };

type AnyPlanVerb = PlanVerb<z.ZodMiniObject, unknown>;
type AnyFolderVerb = FolderVerb<z.ZodMiniObject, unknown>;

export type DeclaredVerb = AnyPlanVerb | AnyFolderVerb;
export type Verb = Loaded<AnyPlanVerb> | Loaded<AnyFolderVerb>;

/** The input of a verb that takes nothing. */
export const NO_FIELDS = fields({});

/** Takes the operation back; nothing if nothing was changed. */
export const undoStep = (op: number | null): NextStep[] => (op === null ? [] : [step("undo", { operation: op })]);

const offerUndo = (answer: unknown): NextStep[] =>
  undoStep(isRecord(answer) && typeof answer["op"] === "number" ? answer["op"] : null);

/** Sentences that ask for a verb, with commas between them. */
export const spoken = (phrases: string): string[] => phrases.split(", ");

/** What a verb that writes offers next, unless it says something else: to take it back. */
export const planVerb = <Schema extends z.ZodMiniObject = typeof NO_FIELDS, Output = unknown>(
  declared: Omit<PlanVerb<Schema, Output>, "on">,
): PlanVerb<Schema, Output> => ({ ...(declared.effect === "writes" && { next: offerUndo }), ...declared, on: "plan" });

export const folderVerb = <Schema extends z.ZodMiniObject = typeof NO_FIELDS, Output = unknown>(
  declared: Omit<FolderVerb<Schema, Output>, "on">,
): FolderVerb<Schema, Output> => ({ ...declared, on: "folder" });

export interface Doubt {
  readonly reason: "home-folder" | "inside-plan";
  readonly message: string;
}

export interface Backup {
  readonly file: string;
  readonly at: string;
  readonly bytes: number;
  /** It was the plan until a restored backup took its place. */
  readonly replaced: boolean;
  /** How many operations its log has. Null if it cannot be read, or if an older program made it. */
  readonly operations: number | null;
  /** It is of another plan than the one that is here, or that git knows. */
  readonly otherPlan: boolean;
}

export interface Loss {
  readonly failure: Failure;
  /** The newest backup of the plan that was lost. */
  readonly newest: Backup | undefined;
}

export interface Folder extends Pick<Door, "confirm"> {
  readonly env: Environment;
  readonly program: readonly [string, ...string[]] | undefined;
  /** The plan that is there. Throws if there is none, or if it cannot be opened. */
  open(): Promise<Context>;
  /** Where the plan is or would be, and what speaks against starting one there. */
  workspace(): { readonly root: string; readonly exists: boolean; readonly doubt: Doubt | null };
  /**
   * Makes the store if there is none yet, and begins the plan in it. `here`: in spite of a doubt. `secret`: where your new secret
   * is; null if there was one, or none could be made. `setAside`: branches and other refs of a plan that was here before.
   */
  create<T>(
    begin: (context: Context, store: string) => Promise<Result<T>>,
    asked?: { readonly here?: boolean | undefined },
  ): Promise<Result<T & { readonly secret: string | null; readonly setAside: number }>>;
  /** Backups of the plan that was or is here, the newest first. */
  backups(): Promise<readonly Backup[]>;
  /** The whole path of a file that was typed. */
  fileAt(typed: string): string;
  /** The operations of the plan that are not in a backup; null if there are none. */
  takenOutBy(file: string): Promise<TakenOut | null>;
  /** Whether another plan is in the file than the one that is here, or that git knows. */
  isOtherPlan(file: string): Promise<boolean>;
  /** A plan that was kept here and is gone; null if there was none, or if it is here. */
  lost(): Promise<Loss | null>;
  /** `end`: the last operation of the plan that the person was asked about. */
  restore(file: string, end?: number): Promise<Result<Restored>>;
  upgrade(): Promise<Upgrade>;
}

/** What each verb answers. The list of verbs fills it in (verbs/list.ts). */
// oxlint-disable-next-line no-empty-interface, no-empty-object-type -- verbs/list.ts extends it
export interface VerbOutputs {}

export type InputOf<Name extends VerbName> = VerbInputs[Name];
/** Nothing but a look-up: with a condition the compiler compares the answers of all verbs with each other, for half a minute. */
export type OutputOf<Name extends VerbName> = VerbOutputs[Name];

/**
 * Asks for one verb. The input is judged by the verb's schema, whatever door it came through. Declare every function that offers this
 * with this type: the compiler needs long to compare two signatures.
 */
export type CallVerb = <Name extends VerbName>(name: Name, input: InputOf<Name>) => Promise<Result<OutputOf<Name>>>;

export interface PlanAsker {
  readonly call: CallVerb;
  /** Like `call`, where name and input are known only at run time; `door` is for this call alone. */
  ask(name: VerbName, input: unknown, door?: Door): Promise<Result<unknown>>;
  folder(): Folder;
  /** A path relative to the caller's folder, as one of the workspace. */
  pathOf(typed: string): string;
  /** At once, and then again when the plan has changed, not more often than asked. */
  changes(options: { readonly signal: AbortSignal; readonly gapMs: () => number }): AsyncIterable<void>;
}
