// A mission no longer waits for its inbox, nor for the feature for bugs before there is one: its counts are made anew.

const counts = (what: string): string => `
  select ${what} from node as child where child.parent = node.nr and child.outcome is distinct from 'dropped'
    and child.inbox = 0 and not (child.tier = 'feature' and child.id = 'BUGS' and child.tasks_live = 0)`;

const FINISHED = `count(case when child.outcome is not null
    or (child.tier <> 'task' and child.live > 0 and child.finished = child.live) then 1 end)`;

const countAnew = (tier: string): string => /* sql */ `
update node set live = (${counts("count(*)")}), finished = (${counts(FINISHED)}) where tier = '${tier}';
`;

/** What stands in an initiative first: the mission follows from it. */
export const standing = `${countAnew("initiative")}${countAnew("mission")}`;
