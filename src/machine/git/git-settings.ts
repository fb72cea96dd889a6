// The settings of how Planwright uses git. `config` reads them; everything that runs git for a workspace gets them.

/** `merge`: one merge commit. `squash`: one commit. `rebase`: the feature's commits on top of main. */
export const LAND_STRATEGIES = ["merge", "squash", "rebase"] as const;
export type LandStrategy = (typeof LAND_STRATEGIES)[number];

export interface GitSettings {
  /** The branch that work starts from and lands on. Null: find it, see `main-branch.ts`. */
  readonly mainBranch: string | null;
  /** `clean`: before a task begins, merge main into its feature's branch if that is clean and the checks stay green. */
  readonly follow: "clean" | "never";
  readonly landStrategy: LandStrategy;
  /** The message of the commit that lands, with `{id}`, `{title}`, `{tasks}` and `{branch}`. */
  readonly landMessage: string;
  /** Run the user's commit hooks on what lands, or skip them. */
  readonly hooks: "skip" | "run";
  /** `auto`: sign the commits that land if the user's git signs commits. */
  readonly signing: "auto" | "off";
}

/** What a message may have in braces. */
export const MESSAGE_FIELDS = ["id", "title", "tasks", "branch"] as const;

export const DEFAULT_GIT_SETTINGS: GitSettings = {
  mainBranch: null,
  follow: "clean",
  landStrategy: "merge",
  landMessage: "Land {id}: {title}\n\n{tasks}",
  hooks: "skip",
  signing: "auto",
};
