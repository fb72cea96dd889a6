// One thing that a person or an agent can ask for, declared once. Every door (command line, library, and those to come)
// is derived from this declaration and holds no rule of its own.

import type * as z from "zod/mini";
import type { Context } from "../actions/context.js";
import type { OperationName } from "../graph/operation-names.js";
import type { Result } from "../graph/result.js";
import type { Environment } from "../process/environment.js";
import type { TakenOut } from "../store/compare-logs.js";
import type { Upgrade } from "../store/create.js";
import type { Restored } from "../store/restore.js";
import type { Backup } from "./safety/backups.js";
import type { Door, Session } from "./session.js";

/** `both` unless only a person may decide it. */
export type Who = "person" | "agent" | "both";

/** `runs`: starts commands, agents or git on this machine. */
export type Effect = "reads" | "writes" | "runs";

export interface Example<Input = unknown> {
  readonly input: Input;
  /** What it does, verb first. */
  readonly does: string;
}

interface Declaration<Schema extends z.ZodMiniObject, Output, Place> {
  readonly name: OperationName;
  /** Verb first, at most 60 characters, no full stop. */
  readonly summary: string;
  /** A few sentences: what a reader has to know before using it. */
  readonly description?: string;
  readonly who: Who;
  readonly effect: Effect;
  /** With this input it only looks, whatever its effect is otherwise: a preview. */
  readonly looksOnly?: (input: z.output<Schema>) => boolean;
  /** It removes, resets or gives up something: never suggested as a command to copy. */
  readonly destructive?: true;
  readonly input: Schema;
  readonly examples: readonly Example<z.input<Schema>>[];
  run(place: Place, input: z.output<Schema>): Promise<Result<Output>>;
}

/** On the plan of a workspace. */
export interface PlanOperation<Schema extends z.ZodMiniObject, Output> extends Declaration<Schema, Output, Session> {
  readonly on: "plan";
}

/** On a folder that may have no plan yet. */
export interface FolderOperation<Schema extends z.ZodMiniObject, Output> extends Declaration<Schema, Output, Folder> {
  readonly on: "folder";
}

export type Operation<Schema extends z.ZodMiniObject = z.ZodMiniObject, Output = unknown> =
  | PlanOperation<Schema, Output>
  | FolderOperation<Schema, Output>;

/** Why a plan is probably not wanted in a folder. */
export interface Doubt {
  readonly reason: "home-folder" | "inside-plan";
  /** One or two sentences. */
  readonly message: string;
}

/** Where a plan is, or would be. */
export interface Folder extends Pick<Door, "confirm"> {
  readonly env: Environment;
  /** How to start this program again. */
  readonly program: readonly [string, ...string[]] | undefined;
  /** The plan that is there. Throws if there is none, or if it cannot be opened. */
  open(): Promise<Context>;
  /** Where the plan is or would be, and what speaks against starting one there. */
  workspace(): { readonly root: string; readonly exists: boolean; readonly doubt: Doubt | null };
  /**
   * Makes the store if there is none yet, and begins the plan in it. `here`: in spite of a doubt. `secret`: where your new secret
   * is; null if there was one, or none could be made.
   */
  create<T>(
    begin: (context: Context, store: string) => Promise<Result<T>>,
    asked?: { readonly here?: boolean | undefined },
  ): Promise<Result<T & { readonly secret: string | null }>>;
  /** Backups of the plan that was or is here, the newest first. */
  backups(): Promise<readonly Backup[]>;
  /** The operations of the plan that are not in a backup; null if there are none. */
  takenOutBy(file: string): Promise<TakenOut | null>;
  /** `end`: the last operation of the plan that the person was asked about. */
  restore(file: string, end?: number): Promise<Result<Restored>>;
  upgrade(): Promise<Upgrade>;
}

/** `input` makes the schema. A module declares several operations, and to make the schemas of all of them takes up to 5 ms. */
type Declared<O extends { readonly input: unknown }> = Omit<O, "on" | "input"> & { readonly input: () => O["input"] };

export const operation = <Schema extends z.ZodMiniObject, Output>(
  declared: Declared<PlanOperation<Schema, Output>>,
): PlanOperation<Schema, Output> => {
  let schema: Schema | undefined;
  return {
    ...declared,
    on: "plan",
    get input() {
      return (schema ??= declared.input());
    },
  };
};

export const folderOperation = <Schema extends z.ZodMiniObject, Output>(
  declared: Declared<FolderOperation<Schema, Output>>,
): FolderOperation<Schema, Output> => {
  let schema: Schema | undefined;
  return {
    ...declared,
    on: "folder",
    get input() {
      return (schema ??= declared.input());
    },
  };
};
