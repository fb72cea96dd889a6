// Views of operations on the folder of a plan.

import { basename } from "node:path";
import { absent, ok, step } from "../../../../app/vocabulary.js";
import type { ViewOf } from "../../view.js";

const init: ViewOf<"init"> = {
  inputs: { yes: ["ask nothing"] },
  prepare: async ({ yes, ...input }, { interactive, json }, app) => {
    const { root, exists, doubt } = app.folder().workspace();
    if (doubt !== null && input["here"] !== true) {
      if (yes === true) return ok({ ...input, here: true });
      // The operation refuses it, and says how to go on.
      if (json || !interactive) return ok(input);
      const { askYes } = await import("../../ask.js");
      const isSure = await askYes(`${doubt.message} Start a plan here?`);
      return isSure
        ? ok({ ...input, here: true })
        : absent("canceled", "No plan was started.", { next: [step("init")] });
    }
    const isSaid = yes === true || Object.keys(input).length > 0;
    if (isSaid || json || exists || !interactive) return ok(input);
    const { interview } = await import("../../interview.js");
    const wishes = await interview(root, basename(root));
    return wishes ? ok({ ...wishes }) : absent("canceled", "No plan was started.", { next: [step("init")] });
  },
  text: ({ root, created, added, mainBranch }, style) => {
    if (created) {
      const lands = mainBranch === null ? [] : [style.dim(`  Work lands on ${mainBranch}.`)];
      const title = `${style.green("✓")} Started a plan in ${style.bold(root)}`;
      return [title, ...added.map((id) => `  + ${id}`), ...lands].join("\n");
    }
    const rest = added.length > 0 ? `Added ${added.join(", ")}, which was missing.` : "Nothing was changed.";
    return `There is already a plan in ${style.bold(root)}. ${rest}`;
  },
  note: ({ created, secret }) => {
    const keep = created ? " Keep a copy: without it you cannot approve in this plan." : "";
    const made = secret === null ? "" : `Made ${secret}: it proves that you, and no agent, approve work.${keep}`;
    const next = created ? "Next, plan from a spec or an idea, or add work by hand:" : "";
    return [made, next].filter((line) => line !== "").join("\n");
  },
  next: ({ created }) =>
    created ? [step("plan.start", {}, "source"), step("add", { tier: "feature" }, "title")] : [step("status")],
};

const upgrade: ViewOf<"upgrade"> = {
  text: ({ from, to, backup }, style) =>
    backup === null
      ? style.dim(`The store has schema ${to} already; nothing was changed.`)
      : `${style.green("✓")} upgraded from schema ${from} to ${to}`,
  note: ({ backup, unconfirmed }) =>
    [
      backup === null ? "" : `Backup of the plan before the upgrade: ${backup}`,
      unconfirmed === undefined
        ? ""
        : `${unconfirmed === 1 ? "1 node was" : `${unconfirmed} nodes were`} approved with a secret that this plan does not know. Nothing of that runs before you confirm it, in one step.`,
    ]
      .filter((line) => line !== "")
      .join("\n"),
  next: ({ unconfirmed }) => (unconfirmed === undefined ? [] : [step("people.confirm")]),
};

export const workspaceViews = { init, upgrade };
