// Operations on the folder of a plan: start one, and bring its store up to date.

import { init as initPlan } from "../../../actions/node/init.js";
import { step } from "../../../graph/next-step.js";
import { ok, refused } from "../../../graph/result.js";
import * as content from "../../content.js";
import { folderOperation } from "../../operation.js";
import { flag, input, list, optional } from "../../schema.js";

const init = folderOperation({
  name: "init",
  summary: "Start a plan here",
  description:
    "It asks before it starts one in your home folder or inside another plan. The plan begins with its mission, an inbox where ideas wait and nothing runs, and a feature for bugs. In a git repository it is kept at the top of the main working tree and serves every linked worktree. If there is a plan already, nothing changes.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      mission: optional(content.title("the goal of the project; the folder's name unless given")),
      initiative: optional(content.title("a first initiative")),
      features: optional(list(content.title("a first feature"), "a first feature", "TITLE")),
      here: optional(flag("start it here although this is the home folder or inside another plan")),
    }),
  examples: [
    { input: {}, does: "starts a plan" },
    {
      input: { mission: "A faster checkout", features: ["One page", "Saved cards"] },
      does: "starts a plan with two features",
    },
  ],
  run: async (folder, asked) => {
    const { here = false, ...wishes } = asked;
    const { doubt } = folder.workspace();
    if (doubt !== null && !here) {
      return refused(doubt.reason, doubt.message, { next: [step("init", { ...wishes, here: true }), step("status")] });
    }
    return folder.create((context, store) => initPlan(context, { ...wishes, store }), { here });
  },
});

const upgrade = folderOperation({
  name: "upgrade",
  summary: "Upgrade the plan's file for this version of the program",
  description:
    "It makes a backup first. The upgrade is one transaction: if it fails, the file stays as it was. No other command upgrades a file. If somebody signed approvals in the plan, run it where their secret is.",
  who: "both",
  effect: "writes",
  input: () => input({}),
  examples: [{ input: {}, does: "upgrades the file and shows where the backup is" }],
  run: async (folder) => ok(await folder.upgrade()),
});

export const workspaceOperations = { init, upgrade };
