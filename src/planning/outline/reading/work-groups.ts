// Where the items of a section go: the group of their heading, in the domain of the top heading.

import type { Section } from "../../spec/spec.js";
import type { SpecIndex } from "./spec-index.js";
import type { WorkDomain, WorkGroup } from "./work.js";

export class WorkGroups {
  readonly domains: WorkDomain[] = [];
  readonly #index: SpecIndex;
  readonly #domainOf = new Map<Section, WorkDomain>();
  readonly #groupOf = new Map<Section, WorkGroup>();

  constructor(index: SpecIndex) {
    this.#index = index;
  }

  of(section: Section): WorkGroup {
    const top = this.#index.topOf(section);
    const depth = top.id.split(".").length + 1;
    const below = this.#index.section(section.id.split(".").slice(0, depth).join("."));
    const owner = this.#index.isPreamble(top) ? top : (below ?? top);
    const known = this.#groupOf.get(owner);
    if (known !== undefined) return known;
    const group = { section: owner, name: this.#index.nameOf(owner), items: [] };
    this.#domainFor(top).groups.push(group);
    this.#groupOf.set(owner, group);
    return group;
  }

  #domainFor(top: Section): WorkDomain {
    const known = this.#domainOf.get(top);
    if (known !== undefined) return known;
    const domain = { section: top, name: this.#index.nameOf(top), groups: [] };
    this.domains.push(domain);
    this.#domainOf.set(top, domain);
    return domain;
  }
}
