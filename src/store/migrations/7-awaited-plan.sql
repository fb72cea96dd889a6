alter table node add column awaits_plan text;
create index node_unplanned on node (feature, nr)
  where tier = 'story' and outcome is null and (live = 0 or awaits_plan is not null);
