// Steps as commands, so that a test reads like what people see.

import type { NextStep } from "../src/model/next-step.js";
import { spell } from "../src/verbs/kit/spell.js";

export const spelled = ({ next = [] }: { readonly next?: readonly NextStep[] }): string[] => next.map(spell);
