// The settings of how Planwright uses git. `config` reads them; everything that runs git for a workspace gets them.

export interface GitSettings {
  /** The branch that work starts from and lands on. Null: find it, see `main-branch.ts`. */
  readonly mainBranch: string | null;
}

export const DEFAULT_GIT_SETTINGS: GitSettings = { mainBranch: null };
