// A model that plays the roles of a planning run: it answers by the heading of the newest prompt, with what was
// queued for that role, or else with what goes well.

import { ANSWERS } from "../planning.js";
import { nameTools, type Setup, SUBMIT } from "./real.js";
import { type ModelRequest, type ScriptedModel, startScriptedModel } from "./scripted-model.js";
import type { ModelTurn, Step } from "./wire.js";

const HEADING = /# Your role: (\w+)(?:, (?:stage (\w+)|revising))?\n/;

/** The role that a prompt asks for, as it is called in `ANSWERS`; undefined if it is no prompt of a role. */
function topicIn({ role, text }: ModelTurn): string | undefined {
  const [, who, stage] = (role === "user" && HEADING.exec(text)) || [];
  return who === "author" ? `author ${stage ?? "revise"}` : who;
}

/** The roles that were asked in the conversation of this request, oldest first. */
export const topicsOf = ({ turns }: Pick<ModelRequest, "turns">): string[] =>
  turns.flatMap((turn) => topicIn(turn) ?? []);

/** What the model says when a role is done: a mark by which its conversation can be known. */
export const farewell = (topic: string): string => `That is all from the ${topic}.`;

export const handIn = (output: unknown): Step => ({ tools: [{ name: SUBMIT, input: output }] });

export interface PlanningModel extends ScriptedModel {
  /** The next prompt for this role is answered like this, step by step. */
  queue(topic: string, ...steps: readonly Step[]): void;
  /** The first requests of the prompts for this role, in order. */
  asked(topic: string): readonly ModelRequest[];
  /** Prompts for this role are not answered, until they are again. */
  hush(topic: string): void;
  speak(): void;
  /** When the model, from now on, has begun not to answer a prompt for this role. */
  silent(topic: string): Promise<ModelRequest>;
}

export async function startPlanningModel(setup: Setup): Promise<PlanningModel> {
  const queued = new Map<string, (readonly Step[])[]>();
  /** By the text of the prompt: agents may send the same request again. */
  const taken = new Map<string, readonly Step[]>();
  let hushed: string | undefined;

  const take = (topic: string): readonly Step[] =>
    queued.get(topic)?.shift() ?? [handIn(ANSWERS[topic]), { text: farewell(topic) }];

  const model = await startScriptedModel({
    script: ({ turns, tools }) => {
      // Titles are asked for in the same words, but without tools.
      if (tools.length === 0) return { text: "A title" };
      const at = turns.findLastIndex((turn) => topicIn(turn) !== undefined);
      const asked = turns[at];
      const topic = asked && topicIn(asked);
      if (!asked || topic === undefined) return undefined;
      if (topic === hushed) return { hang: true };
      const steps = taken.get(asked.text) ?? take(topic);
      taken.set(asked.text, steps);
      const round = turns.slice(at + 1).filter(({ results }) => results.length > 0).length;
      return steps[Math.min(round, steps.length - 1)];
    },
    change: (step, request) => nameTools(step, request, setup),
  });
  const isFor = (topic: string) => (request: ModelRequest) => topicsOf(request).at(-1) === topic;
  return {
    ...model,
    queue: (topic, ...steps) => void queued.set(topic, [...(queued.get(topic) ?? []), steps]),
    hush: (topic) => {
      hushed = topic;
    },
    speak: () => {
      hushed = undefined;
    },
    asked: (topic) => {
      const prompts = new Set<string | undefined>();
      return model.requests.filter(isFor(topic)).filter(({ turns, tools }) => {
        const prompt = turns.findLast((turn) => topicIn(turn) !== undefined)?.text;
        if (prompts.has(prompt) || tools.length === 0) return false;
        prompts.add(prompt);
        return true;
      });
    },
    silent: (topic) => {
      const seen = model.requests.length;
      const isNew = (request: ModelRequest): boolean => model.requests.indexOf(request) >= seen;
      return model.requested((request) => request.step.hang === true && isFor(topic)(request) && isNew(request));
    },
  };
}
