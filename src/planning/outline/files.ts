// The outline's file map: only files that the spec names. A behaviour without one is left out of the map: a path that
// the spec does not state would be a guess, and lint says which behaviours have none.

import { type Behaviour, behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import type { Spec } from "../spec/spec.js";
import { isTestPath, KnownFiles, statedPaths } from "./footprint.js";
import { workOf } from "./reading/read-work.js";
import { itemsOf, type WorkItem } from "./reading/work.js";

const MOST_FILES = 50;
const MOST_BEHAVIOURS = 5_000;

/** An item's own words name files; if they name none, the headings above it do. */
function pathsFor(behaviour: Behaviour, item: WorkItem | undefined): string[] {
  if (item === undefined) return statedPaths(behaviour.quote);
  const own = statedPaths(item.words.join("\n"));
  return own.length > 0 ? own : statedPaths(item.section.path.slice(-2).join("\n"));
}

export function outlineFiles(spec: Spec, map: CapabilityMap, repository: { files: readonly string[] }): FileMap {
  const items = new Map(itemsOf(workOf(spec)).map((item) => [`B-${item.key}`, item]));
  const known = new KnownFiles(repository.files);
  const behaviours = behavioursOf(map).flatMap((behaviour) => {
    const files = pathsFor(behaviour, items.get(behaviour.id))
      .slice(0, MOST_FILES)
      .map((path) => known.planned(path));
    const tests = files.filter(({ path }) => isTestPath(path));
    const others = files.filter(({ path }) => !isTestPath(path));
    if (files.length === 0) return [];
    // Where only tests are named, they are what is written.
    if (others.length === 0) return [{ behaviour: behaviour.id, files: tests, tests: [] }];
    return [{ behaviour: behaviour.id, files: others, tests: tests.map(({ path }) => path) }];
  });
  return { behaviours: behaviours.slice(0, MOST_BEHAVIOURS), crossCutting: [] };
}
