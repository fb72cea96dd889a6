// What a planning run's maps say about one task: its behaviours in full, and what its files are for. The maps
// are read as a stranger's: whatever does not look as expected is left out.

export interface ExpandedBehaviour {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly quote: string;
  readonly requirements: readonly string[];
  readonly capability: string;
  readonly domain: string;
}

export interface FilePurpose {
  readonly action: string;
  readonly purpose: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (value: unknown, field: string): Fields[] => {
  const list = isFields(value) ? value[field] : [];
  return Array.isArray(list) ? list.filter(isFields) : [];
};

const textIn = (value: Fields, field: string): string => {
  const text = value[field];
  return typeof text === "string" ? text : "";
};

const textsIn = (value: Fields, field: string): string[] => {
  const list = value[field];
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
};

/** The ids on a line such as `Behaviours: B1, B2` of a task's body. */
export function behavioursNamed(body: string): string[] {
  const lines = body.matchAll(/^[\s>*_-]*behaviou?rs[*_]*\s*:[*_]*\s*(.+)$/gim);
  const ids = [...lines].flatMap(([, list]) => (list as string).split(/[\s,;]+/));
  return [...new Set(ids.map((id) => id.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")).filter((id) => id !== ""))];
}

export function expandBehaviours(map: unknown, ids: readonly string[]): ExpandedBehaviour[] {
  const found: ExpandedBehaviour[] = [];
  for (const domain of listIn(map, "domains")) {
    for (const capability of listIn(domain, "capabilities")) {
      for (const behaviour of listIn(capability, "behaviours")) {
        const id = textIn(behaviour, "id");
        if (!ids.includes(id)) continue;
        found.push({
          id,
          name: textIn(behaviour, "name"),
          type: textIn(behaviour, "type"),
          quote: textIn(behaviour, "quote"),
          requirements: textsIn(behaviour, "requirements"),
          capability: textIn(capability, "name"),
          domain: textIn(domain, "name"),
        });
      }
    }
  }
  return found.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** By path. The purpose given for one of these behaviours wins over another. */
export function purposesIn(fileMap: unknown, behaviours: readonly string[]): Map<string, FilePurpose> {
  const entries = listIn(fileMap, "behaviours");
  const own = entries.filter((entry) => behaviours.includes(textIn(entry, "behaviour")));
  const files = [...own, ...entries].flatMap((entry) => listIn(entry, "files"));
  const purposes = new Map<string, FilePurpose>();
  for (const file of [...files, ...listIn(fileMap, "crossCutting")]) {
    const path = textIn(file, "path");
    if (!purposes.has(path)) purposes.set(path, { action: textIn(file, "action"), purpose: textIn(file, "purpose") });
  }
  return purposes;
}
