// The statements that find tasks that may be claimed now, by the index of ready tasks.

import { NODE } from "../rows/node-rows.js";

/** Features, and whatever holds tasks without one, for `next --in` on a node above features. */
export const HOLDERS_BELOW = `
  with recursive below (nr, tier, feature) as (
    select nr, tier, feature from node where nr = ?
    union all
    select node.nr, node.tier, node.feature from node join below on node.parent = below.nr
    where below.tier in ('mission', 'initiative') and node.tier <> 'task'
  )
  select nr, tier, feature from below`;

/** With the parent's id, which workers get. */
const CLAIMABLE_COLUMNS = `${NODE}, (select above.id from node as above where above.nr = node.parent) as parent_id`;

export const claimableWhere = (where: string, limit: number): string =>
  `select ${CLAIMABLE_COLUMNS} from node where ${where} ready is not null order by ready, nr limit ${limit}`;

/** Uses the index of ready tasks in a feature. An index by parent would be written with every claim, and is rarely used. */
export const IN_PARENT = "feature is not distinct from ? and parent = ? and";
