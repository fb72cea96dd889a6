// Steps as commands, so that a test reads like what people see.

import { spell } from "../src/app/command-line.js";
import type { NextStep } from "../src/model/next-step.js";

export const spelled = ({ next = [] }: { readonly next?: readonly NextStep[] }): string[] => next.map(spell);
