// Every code that a lint or a check of a review gives, with its worst grade, what it means and what to do. Codes stand
// nowhere else: whoever gives one takes it from here. docs/reference/lint-codes.md shows this table to users.

/** An `error` forces a revision, `unreadable` escalates: the plan cannot be judged at all. */
export type Grade = "unreadable" | "error" | "warning" | "remark";

interface Code {
  readonly grade: Grade;
  readonly meaning: string;
  /** What to do about it, where the finding does not know better. */
  readonly advice: string;
  /** `lint --fix` fixes some or all of its findings. */
  readonly isFixable: boolean;
}

const code = (grade: Grade, meaning: string, advice: string, fix: "fix" | "" = ""): Code => ({
  grade,
  meaning,
  advice,
  isFixable: fix === "fix",
});

export const LINT_CODES = {
  // The form of a plan, judged while it is made and by `planwright lint`.
  "P-NO-TASKS": code(
    "unreadable",
    "The plan has no task, so there is nothing to judge.",
    "Add the tasks that carry out the spec.",
  ),
  "P-ID": code("error", "Two nodes have the same id.", "Give each its own id."),
  "P-PARENT": code(
    "error",
    "The parent of a node does not exist or cannot contain it.",
    "Features belong to initiatives, stories to features, tasks to either of these.",
    "fix",
  ),
  "P-OUTSIDE": code("error", "A node is not below the node that is being planned.", "Put it below that node."),
  "P-DEPENDENCY": code(
    "error",
    "A task depends on something that does not exist.",
    "Name a node of the plan, or take the dependency out.",
    "fix",
  ),
  "P-KINSHIP": code(
    "error",
    "A task depends on itself or on a node that contains it.",
    "Take the dependency out.",
    "fix",
  ),
  "P-CYCLE": code(
    "error",
    "Something waits for itself through dependencies, containment and landings.",
    "Take one of these dependencies out.",
  ),
  "P-EMPTY": code(
    "error",
    "A feature or story has no task, or an initiative has no feature.",
    "Fill it, or remove it.",
  ),
  "P-REPEAT": code("remark", "A task names a dependency, file, check or quote twice.", "Name each once.", "fix"),
  "P-DECISION": code("warning", "A decision names a task that does not exist.", "Name tasks of this plan."),
  "P-QUOTE": code("error", "A quote does not occur in the spec.", "Copy the words from the spec exactly.", "fix"),
  "P-REQUIREMENT": code(
    "error",
    "No task covers a requirement id of the spec, and it is not left out on purpose.",
    "Name it in the task that meets it, or leave its words out on purpose.",
  ),
  "P-REQUIREMENT-ID": code(
    "warning",
    "A task names a requirement id that the spec does not have.",
    "Name requirement ids as the spec writes them.",
  ),
  "P-COVERAGE": code(
    "warning",
    "The spec says something that no task covers.",
    "Quote these words in the tasks that do it, or leave them out on purpose.",
  ),
  "P-DUTY": code(
    "warning",
    "The plan leaves out something that the spec says must, shall or never be.",
    "Put it into the task that keeps to it, or make sure that nobody needs it.",
  ),
  "P-MAP-ID": code("error", "Two parts of the capability map have the same id.", "Give each its own id."),
  "P-BEHAVIOUR": code(
    "error",
    "No task contains a behaviour of the capability map.",
    "Name it in the task that does it, or add that task.",
  ),
  "P-BEHAVIOUR-ID": code(
    "error",
    "Something names a behaviour that the capability map does not have.",
    "Name behaviours of the map.",
    "fix",
  ),
  "P-FLOW": code("error", "A step of a flow is not a behaviour.", "Name behaviours of the map, in order."),
  "P-STEEL-FLOW": code(
    "error",
    "There must be exactly one flow that is the steel thread.",
    "Mark exactly one flow as the steel thread.",
  ),
  "P-FILES": code(
    "error",
    "A behaviour has no files. A warning if the outline planner found none in the spec.",
    "Say which files are made or changed for it.",
  ),
  "P-FILE-UNUSED": code("remark", "No task names a file of the file map.", "Add it to the task that makes it."),
  "P-CHECK": code(
    "error",
    "A task has no runnable check. A warning if the whole plan has none, or if the plan says only what its spec says.",
    "Add a command that exits with 0 when the task is done.",
  ),
  "P-TOOL": code(
    "warning",
    "A check names a program that is not installed here.",
    "Install it, or check with a program that is there.",
  ),
  "P-SCRIPT": code(
    "warning",
    "A check runs a file or script that neither the repository nor the plan has.",
    "Name a file that is there, or add it to the files of the task that makes it.",
  ),
  "P-DANGER": code(
    "error",
    "A check would destroy something, publish something, or leave the workspace.",
    "A check looks; let it run inside the workspace and change nothing outside.",
  ),
  "P-TESTS": code(
    "error",
    "The plan has no test at all. A warning if it has checks but none of them tests, or if the outline planner found none in the spec.",
    "Add tests to the tasks, and a check that runs them.",
  ),
  "P-LARGE": code(
    "warning",
    "A task is large (files, kinds of work or hours) and does not say why.",
    "Split it, or say in sizeReason why it belongs together.",
  ),
  "P-SMALL": code(
    "warning",
    "Several tiny tasks in a row touch the same files.",
    "Make one task of them, or say in sizeReason why not.",
  ),
  "P-OVERLAP": code(
    "warning",
    "Tasks that could run together touch the same files.",
    "Let one depend on the other.",
    "fix",
  ),
  "P-PROFILE": code("remark", "A task has no profile although its files show one.", "Give it that profile.", "fix"),
  "P-STEEL": code(
    "error",
    "The steel thread is missing, or leaves out steps of its flow.",
    "Mark the tasks that do its steps with steelThread.",
  ),
  "P-STEEL-APART": code("error", "The steel thread is not connected.", "Let each step depend on the one before."),
  "P-STEEL-LATE": code(
    "error",
    "The steel thread comes too late in the order.",
    "Let its tasks wait only for what they need.",
  ),
  "P-VAGUE": code("warning", "A text does not say what has to be done.", "Say what exactly has to be done."),
  "P-SPACES": code("remark", "A text begins or ends with spaces.", "Take them out.", "fix"),
  "P-TARGET": code(
    "warning",
    "A task creates a file outside of the folder that the code goes to.",
    "Put it there, or say in the task why it belongs elsewhere.",
  ),
  "P-CONSTRAINT": code(
    "error",
    "The plan contradicts an active constraint.",
    "Do it without, or ask for the constraint to be superseded.",
  ),
  "P-MEASURE": code(
    "warning",
    "No task or check mentions an active requirement.",
    "Name it in the task that meets it.",
  ),
  // Invariants of the stored plan. No operation can break one; an import, another program or a damaged file can.
  "I-PARENT": code("error", "A node is not below a parent of a higher tier.", "Move it below one."),
  "I-DANGLING": code("error", "A dependency names a node that does not exist.", "Remove the dependency."),
  "I-KINSHIP": code(
    "error",
    "Something depends on itself, on what contains it, or on what it contains.",
    "Remove the dependency.",
  ),
  "I-TWICE": code("error", "Something depends on the same node twice.", "Remove one of the dependencies."),
  "I-CYCLE": code(
    "error",
    "Something waits for itself through dependencies, containment and landings.",
    "Remove one of the dependencies.",
  ),
  "I-CLAIM": code("error", "A node is claimed that is no task in progress.", "Release the claim."),
  "I-APPROVER": code("error", "Somebody approved who is not a person.", "Approve it yourself."),
  "I-FREEZE": code("error", "A node is frozen without a reason.", "Thaw it, or freeze it again with a reason."),
  "I-LAND": code(
    "error",
    "A feature with work has no open land task or several, or a land task is elsewhere.",
    "Restore the plan from a backup.",
  ),
  "I-DONE": code("error", "Something was frozen or dropped after it was done.", "Thaw it."),
  "I-PROOF": code("error", "Something is done that was not accepted.", "Reopen it."),
  "W-STALE": code("warning", "An approved node has changed since its approval.", "Approve it again."),
  "W-LAND": code(
    "warning",
    "All tasks of a feature are finished, and something keeps it from landing.",
    "Do what the message says.",
  ),
  // What is wrong with a review itself.
  "R-CITATION": code("warning", "A review cites code that does not exist.", "Doubt this finding."),
  "R-UNCITED": code("remark", "A review speaks about code and cites none.", "Look at the code before acting on it."),
} as const satisfies Readonly<Record<string, Code>>;

export type LintCode = keyof typeof LINT_CODES;

export type InvariantCode = Extract<LintCode, `I-${string}`>;
