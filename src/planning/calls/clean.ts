// What an agent said, without secrets: cleaned once, before anything is made of it. Words of the spec stay as they
// are, because quotes are looked up in it, and it is kept byte for byte in any case.

import { redactAll } from "../../machine/agents/redact.js";
import type { RoleReply } from "../roles/server.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";

type Redact = (text: string) => string;

export function cleanReply(reply: RoleReply, spec: Spec, redact: Redact): RoleReply {
  const { message, output, ...others } = reply;
  const said = { ...others, text: redact(reply.text), ...(message === undefined ? {} : { message: redact(message) }) };
  if (output === undefined) return said;
  const cleaned = cleanOutput(output, besides(spec, redact));
  return cleaned === TOO_DEEP
    ? { ...said, ending: "no-output", message: "The answer is nested too deeply to be read." }
    : { ...said, output: cleaned };
}

const besides =
  (spec: Spec, redact: Redact): Redact =>
  (text) => {
    const clean = redact(text);
    return clean === text || findQuote(spec, text) !== undefined ? text : clean;
  };

const TOO_DEEP = Symbol("too deep");

function cleanOutput(output: unknown, redact: Redact): unknown {
  try {
    return redactAll(output, redact);
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}
