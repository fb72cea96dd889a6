// Who works on a task, from the settings and the agents of this machine.

import type { AgentsHere } from "../../machine/agents/known.js";
import {
  chooseWorker,
  namedWorker,
  SHELL,
  type WorkerChoice,
  type WorkerSettings,
} from "../../model/attempt/choose-worker.js";
import type { Node } from "../../model/node/node.js";

/** Looks for no more agents than the choice needs. */
export function choiceFor(task: Node, settings: WorkerSettings, agents: AgentsHere): WorkerChoice {
  const named = namedWorker(task, settings)?.agent;
  const isShell = named === SHELL || (named !== undefined && settings.agents[named]?.shell !== undefined);
  return chooseWorker(task, settings, {
    first: named === undefined ? agents.first() : null,
    named: named === undefined || isShell ? "unknown" : agents.state(named),
  });
}
