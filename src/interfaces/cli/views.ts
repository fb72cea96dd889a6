// The view of every operation. A module is loaded when one of its views is needed.

import type { CatalogueName } from "../../app/catalogue.js";
import type { View, ViewOf } from "./view.js";

const branch = () => import("./views/branch.js");
const record = () => import("./views/record.js");

const VIEWS: { readonly [Name in CatalogueName]: () => Promise<ViewOf<Name>> } = {
  approve: async () => (await import("./views/approve.js")).approve,
  unapprove: async () => (await branch()).unapprove,
  freeze: async () => (await branch()).freeze,
  thaw: async () => (await branch()).thaw,
  waive: async () => (await branch()).waive,
  drop: async () => (await branch()).drop,
  archive: async () => (await branch()).archive,
  restore: async () => (await branch()).restore,
  "record.add": async () => (await record()).add,
  "record.list": async () => (await record()).records,
  "record.approve": async () => (await record()).approve,
  "record.supersede": async () => (await record()).supersede,
};

export const loadView = (name: CatalogueName): Promise<View> => VIEWS[name]() as Promise<View>;
