// The view of every operation. A module is loaded when one of its views is needed.

import type { CatalogueName } from "../../app/catalogue.js";
import type { View, ViewOf } from "./view.js";

const branch = () => import("./views/branch.js");

const VIEWS: { readonly [Name in CatalogueName]: () => Promise<ViewOf<Name>> } = {
  freeze: async () => (await branch()).freeze,
};

export const loadView = (name: CatalogueName): Promise<View> => VIEWS[name]() as Promise<View>;
