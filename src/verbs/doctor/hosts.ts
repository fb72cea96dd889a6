// What is installed into coding agents, and whether it is of this version.

import { step } from "../../model/next-step.js";
import { HOSTS } from "../hosts/hosts.js";
import { proposeHosts } from "../hosts/install-host.js";
import type { Patient } from "./doctor.js";
import { type Examined, fine, remark } from "./finding.js";

export function examineHosts({ folder }: Patient): Examined {
  const installed = proposeHosts(folder).hosts.flatMap(({ host, scopes }) =>
    scopes.filter(({ state }) => state !== "absent").map((each) => ({ host, ...each })),
  );
  if (installed.length === 0) return fine("Planwright is not installed into a coding agent");
  const namesOf = (some: typeof installed): string =>
    some.map(({ host, scope }) => `${HOSTS[host].label} (${scope})`).join(", ");
  const outdated = installed.filter(({ state }) => state === "outdated");
  if (outdated.length === 0) return fine(`${namesOf(installed)} ${installed.length === 1 ? "is" : "are"} current`);
  const next = outdated.map(({ host, scope }) => step("install", { host, scope }));
  return remark(`not of this version: ${namesOf(outdated)}`, "Install them again.", next);
}
