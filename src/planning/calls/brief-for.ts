// What a role that is asked now has to know.

import { gatherBrief } from "../driver/gather.js";
import { learn } from "../driver/learn.js";
import type { Run } from "../driver/runs.js";
import type { PlanningServices } from "../driver/services.js";
import type { RoleAsk } from "../machine/machine.js";
import type { Project } from "../project.js";
import type { Brief } from "../roles/brief.js";

export async function briefFor(services: PlanningServices, run: Run, asked: RoleAsk, project: Project): Promise<Brief> {
  const knowledge = await learn(services, run, asked);
  const feedback = asked.role === "author" ? run.machine.feedback : [];
  return services.context.store.read((reader) => gatherBrief(reader, run, asked, feedback, knowledge, project));
}
