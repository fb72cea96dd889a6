// Notes that a branch is to be planned again, and finds stories that hold their feature although no task in them is open.

export const awaitedPlan = /* sql */ `
alter table node add column awaits_plan text;
create index node_unplanned on node (feature, nr)
  where tier = 'story' and outcome is null and (live = 0 or awaits_plan is not null);
`;
