// Looks for what keeps Planwright from working here.

import type { Result } from "../../../model/result.js";
import { type Diagnosis, diagnose } from "../../doctor/doctor.js";
import { folderOperation } from "../../operation.js";
import { input } from "../../schema.js";

const doctor = folderOperation({
  name: "doctor",
  summary: "Check what Planwright needs here, and how to fix it",
  description:
    "Looks at Node, git, the repository and its main branch, the plan's file, the settings, coding agents and what is installed in them, the sandbox, hooks, signing, submodules, the daemon, permissions, and what killed programs left behind. It changes nothing.",
  who: "both",
  effect: "runs",
  input: () => input({}),
  examples: [{ input: {}, does: "examines this folder" }],
  run: (folder): Promise<Result<Diagnosis>> =>
    diagnose({ ...folder.workspace(), env: folder.env, folder, open: () => folder.open() }),
});

export const doctorOperations = { doctor };
