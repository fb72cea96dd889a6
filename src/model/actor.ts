// Who did it: `human:NAME`, `agent:NAME` or `daemon:HOST`.

export type Actor = string;

const PATTERN = /^(human|agent|daemon):[^\s:][^\s]{0,99}$/u;

export const isActor = (text: string): text is Actor => PATTERN.test(text);

export const isPerson = (actor: Actor): boolean => actor.startsWith("human:");
