// The settings of git. Only commands that work with branches read them.

import * as z from "zod/mini";
import type { GitSettings } from "../git/git-settings.js";
import { byDefault, objectOf, readSettings } from "./schema.js";
import { readSettingsFile, type SettingsFile } from "./settings.js";

const BRANCH = { error: "must be the name of a local branch, such as main" };

/** Roughly what git refuses in a name. */
const isBranchName = (text: string): boolean =>
  /^(?!-|refs\/|\/)[^\s~^:?*[\\]+(?<!\/|\.lock)$/.test(text) && !text.includes("..");

const GIT = objectOf({
  /** The branch that work starts from and lands on. Null: find it. */
  mainBranch: byDefault(z.nullable(z.string(BRANCH).check(z.refine(isBranchName, BRANCH))), null),
});

export const loadGitSettings = (root: string): GitSettings => parseGitSettings(readSettingsFile(root));

export const parseGitSettings = ({ git = {} }: SettingsFile): GitSettings => readSettings(GIT, git, "git");
