// Views of the people whom a plan knows.

import { step } from "../../../../app/vocabulary.js";
import { PREVIEW_REPORT } from "../../text/preview-report.js";
import type { ViewOf } from "../../view.js";

const list: ViewOf<"people.list"> = {
  text: ({ people, own }, style) =>
    [
      ...(people.length === 0
        ? [style.dim("This plan knows nobody yet. The first will be the person of the secret file on this machine.")]
        : []),
      ...people.map(
        ({ id, name, since, addedBy }) =>
          `${style.bold(name)}  ${id}  since ${since.slice(0, 10)}${addedBy === null ? ", started the plan" : `, added by ${addedBy}`}`,
      ),
      ...(own === null
        ? []
        : ["", own.isKnown ? "You are one of them. Your key:" : "You are not one of them. Your key:", `  ${own.key}`]),
    ].join("\n"),
  note: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0
      ? ""
      : "Somebody whom the plan knows adds this key. Whoever has its secret can then approve everything, so add it only if you made that secret yourself.",
  next: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0 ? [] : [step("people.add", { key: own.key })],
};

const add: ViewOf<"people.add"> = {
  text: ({ name, id }, style) => `${style.green("✓")} What ${name} (${id}) approves runs from now on`,
  next: () => [step("people.list")],
};

const remove: ViewOf<"people.remove"> = {
  text: ({ name, id, unconfirmed }, style) =>
    [
      `${style.green("✓")} What ${name} (${id}) approves does not run any more`,
      ...(unconfirmed.length === 0
        ? []
        : [
            `  Waits for somebody to confirm it: ${unconfirmed.slice(0, 10).join(", ")}${unconfirmed.length > 10 ? ", …" : ""}`,
          ]),
    ].join("\n"),
  next: ({ unconfirmed }) => (unconfirmed.length === 0 ? [step("people.list")] : [step("people.confirm")]),
};

const confirm: ViewOf<"people.confirm"> = {
  ...PREVIEW_REPORT,
  text: ({ approved }, style) =>
    approved.length === 0
      ? style.dim("Nothing waits: a person whom this plan knows approved everything that is approved.")
      : `${style.green("✓")} Approved ${approved.slice(0, 10).join(", ")}${approved.length > 10 ? ` and ${approved.length - 10} more` : ""}`,
  next: () => [step("status")],
};

export const peopleViews = {
  "people.list": list,
  "people.add": add,
  "people.remove": remove,
  "people.confirm": confirm,
};
