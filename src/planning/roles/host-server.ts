// A host as a server of roles: the coding agent that asks for the plan spawns a subagent with the question, and that one hands in.

import { randomBytes } from "node:crypto";
import { HOST } from "../driver/services.js";
import { promptFor, promptOfChanges } from "./prompt.js";
import type { RoleServer } from "./server.js";

export function hostServer(): RoleServer {
  const mark = `=====${randomBytes(9).toString("base64url")}=====`;
  return {
    agent: HOST,
    model: null,
    version: async () => undefined,
    question: (brief, told) => (told.length > 0 ? promptOfChanges(brief, mark, told) : promptFor(brief, mark)),
  };
}
