create table node_file (
  place text not null,
  node integer not null,
  primary key (place, node)
) without rowid;
create index node_sort on node ((
  substr(kind, 1, 1) || shelved || coalesce(substr(outcome, 1, 2), '--') || coalesce(substr(acceptance, 1, 1), '-')
  || case when archive is null then 1 else 0 end || case when pending > 0 or held = 1 then 1 else 0 end
  || case when claim_token is null then 1 else 0 end || case when freeze_reason is null then 1 else 0 end
  || case when approved_by is null then 1 else 0 end
  || case when approved_hash = '' then 2 when approved_hash = hash then 1 else 0 end
  || case when budgets = '{}' then '' else budgets || ':' || attempts end
  || case when held = 1 and outcome is null then '@' || parent else '' end
)) where tier = 'task';
create index node_container on node (nr) where tier <> 'task';
create index node_for_person on node (nr) where outcome is null and archive is null and shelved = 0 and claim_token is null and (
  acceptance = 'pending' or acceptance = 'rejected' or kind = 'gate' or kind = 'land' or approved_hash <> hash or freeze_from = nr
  or (budgets <> '{}' and attempts > 0)
);
create index node_unapproved on node (feature, nr, estimate_hours)
  where tier = 'task' and kind <> 'land' and outcome is null and archive is null and shelved = 0 and approved_by is null;
create index node_dropped on node (nr) where outcome = 'dropped';
create index node_frame on node (nr) where tier = 'mission' or tier = 'initiative';
