// What to do next, as data. Rules answer with steps; the command line spells them as commands, other doors as tools or
// buttons.

/** What each verb takes. The list of verbs fills it in (verbs/list.ts), so that a wrong step does not compile. */
// oxlint-disable-next-line no-empty-interface, no-empty-object-type -- verbs/list.ts extends it
export interface VerbInputs {}

export type VerbName = keyof VerbInputs;

/** An input as a rule gives it: lists may be readonly. */
type Given<T> = T extends readonly (infer Each)[]
  ? readonly Given<Each>[]
  : T extends object
    ? { readonly [Field in keyof T]: Given<T[Field]> }
    : T;

export interface NextStep {
  readonly operation: VerbName;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fields that only the reader can fill in, such as a reason. */
  readonly needs?: readonly string[];
}

/** The verbs that need nothing. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the input that has nothing
type Bare = { [Name in VerbName]: Record<never, never> extends VerbInputs[Name] ? Name : never }[VerbName];

/** `step("accept", { references: ["TASK-1"] }, "reason")`: accept TASK-1, with a reason that the reader gives. */
export function step(operation: Bare): NextStep;
export function step<
  Name extends VerbName,
  Input extends Given<Omit<VerbInputs[Name], Needs[number]>>,
  const Needs extends readonly (keyof VerbInputs[Name] & string)[],
>(
  operation: Name,
  // Without the second part, fields that come from a spread object would not be looked at.
  input: Input & Readonly<Record<Exclude<keyof Input, keyof VerbInputs[Name]>, never>>,
  ...needs: Needs
): NextStep;
export function step(operation: VerbName, input: object = {}, ...needs: readonly string[]): NextStep {
  return anyStep(operation, input, needs);
}

/** The same for a verb that is known only at run time. */
export const anyStep = (operation: VerbName, input: object = {}, needs: readonly string[] = []): NextStep => ({
  operation,
  input: { ...input },
  ...(needs.length === 0 ? {} : { needs }),
});
