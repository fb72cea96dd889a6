import { isPerson } from "../../model/actor.js";
import { type Result, refused } from "../../model/result.js";
import type { Session } from "../kit/session.js";
import { daemonHere } from "../services/daemon-here.js";

export const actorOf = ({ actor }: Session): string => (isPerson(actor) ? daemonHere() : actor);

export const noProgram = (): Result<never> =>
  refused("no-program", "This program cannot be started in the background from here.");
