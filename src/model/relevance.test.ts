import { expect, it } from "vitest";
import { relevanceOf, type Searched } from "./words.js";

const thing = (id: string, title: string, body = ""): Searched => ({ id, title, body });

it.each<[search: string, found: readonly string[]]>([
  ["T-2", ["T-2"]],
  ["sign in", ["T-1", "T-3"]],
  ["tokens", ["T-3", "T-2"]],
  ["token store", ["T-3"]],
  ["nowhere", []],
  ["oken", ["T-3", "T-2"]],
  ["", []],
])("%j finds %j, the best first", (search, found) => {
  const things = [
    thing("T-1", "Sign in with a passkey"),
    thing("T-2", "Expire sessions", "A token ends after an hour."),
    thing("T-3", "Store tokens", "For whoever wants to sign in."),
  ];
  const ranked = things
    .map((each) => ({ id: each.id, score: relevanceOf(search, each) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
  expect(ranked).toEqual(found);
});
