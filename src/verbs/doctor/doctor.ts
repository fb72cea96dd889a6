// Looks at everything that Planwright needs to work here. An examination that fails is a finding like any other, so one
// broken part never hides the rest.

import type { Environment } from "../../machine/process/environment.js";
import type { Failure } from "../../model/result.js";
import { ok, problems, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import type { Folder } from "../kit/verb.js";
import { type Examined, type HealthFinding, type HealthSubject, wrong } from "./finding.js";
import {
  examineBranches,
  examineGit,
  examineHooks,
  examineMainBranch,
  examineRepository,
  examineSigning,
  examineSubmodules,
} from "./git.js";
import { examineHosts } from "./hosts.js";
import { examineAgents, examineConfiguration, examineNode, examineSandbox } from "./program.js";
import { examineDaemon, examineLeftovers, examinePermissions, examineStore } from "./workspace.js";

export interface Patient {
  /** The folder that holds the plan, or would hold it. */
  readonly root: string;
  readonly exists: boolean;
  readonly env: Environment;
  /** Where Planwright would be installed into coding agents. */
  readonly folder: Folder;
  /** Opens the plan. Throws if it cannot be opened. */
  readonly open: () => Promise<Context>;
}

export interface Diagnosis {
  readonly root: string;
  /** Whether there is a plan. */
  readonly plan: boolean;
  readonly findings: readonly HealthFinding[];
}

type Examination = (patient: Patient) => Promise<Examined> | Examined;

const EXAMINATIONS: Readonly<Record<HealthSubject, Examination>> = {
  node: examineNode,
  git: examineGit,
  repository: examineRepository,
  "main branch": examineMainBranch,
  branches: examineBranches,
  store: examineStore,
  configuration: examineConfiguration,
  agents: examineAgents,
  hosts: examineHosts,
  sandbox: examineSandbox,
  hooks: examineHooks,
  signing: examineSigning,
  submodules: examineSubmodules,
  daemon: examineDaemon,
  permissions: examinePermissions,
  leftovers: examineLeftovers,
};

export async function diagnose(patient: Patient): Promise<Result<Diagnosis>> {
  const findings: HealthFinding[] = [];
  for (const [subject, examine] of Object.entries(EXAMINATIONS) as [HealthSubject, Examination][]) {
    findings.push({ subject, ...(await examined(examine, patient)) });
  }
  const diagnosis = { root: patient.root, plan: patient.exists, findings };
  const failed = findings.filter(({ state }) => state === "problem");
  if (failed.length === 0) return ok(diagnosis);
  const message = `${failed.length === 1 ? "1 problem" : `${failed.length} problems`}: ${failed.map(({ subject }) => subject).join(", ")}.`;
  return problems("problems", message, { details: diagnosis, next: failed.flatMap(({ next }) => next) });
}

async function examined(examine: Examination, patient: Patient): Promise<Examined> {
  try {
    return await examine(patient);
  } catch (error) {
    const known = (error as { failure?: Failure }).failure;
    const message = known?.message ?? (error instanceof Error ? error.message : String(error));
    return wrong(message, "Fix what the message names, then run this again.", known?.next ?? []);
  }
}
