// Words and figures as views print them.

/** `1 task`, `2 stories` */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `critic and overviewer` */
export const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.slice(-1).join("")}`;

export const seconds = (ms: number): string =>
  ms < 950
    ? `${ms} ms`
    : ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;

/** What agents used: tokens, and what that cost if it is known. */
export const usedWords = ({ tokens, costUsd }: { readonly tokens: number; readonly costUsd: number }): string =>
  [`${tokens} ${tokens === 1 ? "token" : "tokens"}`, dollars(costUsd)].filter(Boolean).join(", ");

export const dollars = (usd: number): string => (usd === 0 ? "" : `$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`);

export const bytesText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** More than fit on a screen. */
const SHOWN = 20;

export const idList = (ids: readonly string[]): string =>
  ids.length <= SHOWN ? ids.join(", ") : `${ids.slice(0, SHOWN).join(", ")} and ${ids.length - SHOWN} more`;
