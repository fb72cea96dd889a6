// The address of the page: which view, layout and node, under which filter, at which moment. Pure, so that every state is a link.

export const VIEWS = ["now", "plan", "planning", "history", "insights", "settings"] as const;
export type View = (typeof VIEWS)[number] | "attempt";
export const LAYOUTS = ["tree", "board", "graph", "timeline"] as const;
export type Layout = (typeof LAYOUTS)[number];
export const TABS = ["overview", "checks", "attempts", "diff", "history"] as const;
export type Tab = (typeof TABS)[number];

export interface Place {
  readonly view: View;
  readonly layout: Layout;
  /** What is selected: a node in the plan, a run in planning, an attempt, an operation in history. */
  readonly item: string | null;
  readonly tab: Tab;
  readonly filter: string;
  /** The operation after which the plan is shown; null is now. */
  readonly at: number | null;
  /** What the approval dialog is open for. */
  readonly approve: string | null;
  /** The artifact whose text is open. */
  readonly artifact: string | null;
  /** The panel takes the whole page. */
  readonly full: boolean;
}

export const START: Place = {
  view: "now",
  layout: "tree",
  item: null,
  tab: "overview",
  filter: "",
  at: null,
  approve: null,
  artifact: null,
  full: false,
};

const oneOf = <T extends string>(all: readonly T[], word: string | null | undefined): T | undefined =>
  all.find((each) => each === word);

const decoded = (part: string | undefined): string | null => {
  if (part === undefined || part === "") return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export function readPlace(path: string, query: string): Place {
  const [first, second, third] = path.split("/").filter((part) => part !== "");
  const parameters = new URLSearchParams(query);
  const moment = parameters.get("at") ?? "";
  const rest = {
    ...START,
    tab: oneOf(TABS, parameters.get("tab")) ?? "overview",
    filter: parameters.get("q") ?? "",
    at: /^\d{1,15}$/.test(moment) ? Number(moment) : null,
    approve: parameters.get("approve"),
    artifact: parameters.get("artifact"),
    full: parameters.has("full"),
  };
  if (first === "attempt") return { ...rest, view: "attempt", item: decoded(second) };
  const view = oneOf(VIEWS, first) ?? "now";
  if (view !== "plan") return { ...rest, view, item: decoded(second) };
  return { ...rest, view, layout: oneOf(LAYOUTS, second) ?? "tree", item: decoded(third) };
}

export function addressOf(place: Place): string {
  const { view, layout, item, tab, filter, at, approve, artifact, full } = place;
  const parts: string[] = view === "plan" ? [view, layout] : [view];
  if (item !== null) parts.push(encodeURIComponent(item));
  const parameters = new URLSearchParams();
  if (filter !== "") parameters.set("q", filter);
  if (tab !== "overview" && item !== null) parameters.set("tab", tab);
  if (approve !== null) parameters.set("approve", approve);
  if (artifact !== null) parameters.set("artifact", artifact);
  if (full && item !== null) parameters.set("full", "");
  if (at !== null) parameters.set("at", String(at));
  const query = parameters.toString();
  return `/${parts.join("/")}${query === "" ? "" : `?${query}`}`;
}

/** Where an id leads. */
export function placeOfId(id: string, from: Place): Partial<Place> {
  if (/^ART-/i.test(id)) return { artifact: id };
  const over = { approve: null, artifact: null };
  if (/^ATT-/i.test(id)) return { view: "attempt", item: id, ...over };
  if (/^RUN-/i.test(id)) return { view: "planning", item: id, ...over };
  if (/^ESC-/i.test(id)) return { view: "now", item: id, ...over };
  const layout = from.view === "plan" ? from.layout : "tree";
  return { view: "plan", layout, item: id, tab: "overview", ...over };
}
