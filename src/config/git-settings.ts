// The settings of git. Only commands that work with branches read them.

import * as z from "zod/mini";
import { DEFAULT_GIT_SETTINGS, LAND_STRATEGIES, MESSAGE_FIELDS } from "../machine/git/git-settings.js";
import { byDefault, objectOf, oneOf } from "./settings.js";
import { settingsPart } from "./trust.js";

const BRANCH = { error: "must be the name of a local branch, such as main" };

/** Roughly what git refuses in a name. */
const isBranchName = (text: string): boolean =>
  /^(?!-|refs\/|\/)[^\s~^:?*[\\]+(?<!\/|\.lock)$/.test(text) && !text.includes("..");

const MESSAGE = {
  error: `must be a text with no other fields than ${MESSAGE_FIELDS.map((name) => `{${name}}`).join(", ")}`,
};

const isMessage = (text: string): boolean =>
  text.trim() !== "" &&
  Array.from(text.matchAll(/\{(\w+)\}/g)).every(([, name]) => MESSAGE_FIELDS.some((known) => known === name));

const GIT = objectOf({
  /** The branch that work starts from and lands on. Null: find it. */
  mainBranch: byDefault(z.nullable(z.string(BRANCH).check(z.refine(isBranchName, BRANCH))), null),
  /** Merge main into a feature's branch before a task begins, if that is clean and its checks stay green. */
  follow: byDefault(oneOf("clean", "never"), DEFAULT_GIT_SETTINGS.follow),
  landStrategy: byDefault(oneOf(...LAND_STRATEGIES), DEFAULT_GIT_SETTINGS.landStrategy),
  landMessage: byDefault(z.string(MESSAGE).check(z.refine(isMessage, MESSAGE)), DEFAULT_GIT_SETTINGS.landMessage),
  /** Run pre-merge-commit or pre-commit, and commit-msg, on what lands. */
  hooks: byDefault(oneOf("skip", "run"), DEFAULT_GIT_SETTINGS.hooks),
  /** Sign the commits that land as the user's git would, or never. */
  signing: byDefault(oneOf("auto", "off"), DEFAULT_GIT_SETTINGS.signing),
});

export const { parse: parseGitSettings, load: loadGitSettings } = settingsPart("git", GIT);
