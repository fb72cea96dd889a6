create table node (
  nr integer primary key,
  uuid text not null unique,
  id text not null check (length(id) between 1 and 64),
  tier text not null check (tier = 'task' or tier = 'story' or tier = 'feature' or tier = 'initiative' or tier = 'mission'),
  kind text check (kind = 'work' or kind = 'gate' or kind = 'review' or kind = 'land'),
  title text not null check (length(title) between 1 and 500),
  body text not null default '',
  parent integer references node (nr) deferrable initially deferred,
  depends_on text not null default '[]',
  files text not null default '[]',
  symbols text not null default '[]',
  checks text not null default '[]',
  profile text,
  priority integer check (priority between 0 and 4),
  estimate_hours real check (estimate_hours > 0),
  budgets text not null default '{}',
  inbox integer not null default 0 check (inbox in (0, 1)),

  approved_by text check (approved_by like 'human:%'),
  approved_at integer,
  approved_hash text,
  freeze_reason text check (freeze_reason <> ''),
  freeze_by text,
  freeze_at integer,
  freeze_from integer,
  freeze_commit text,
  claim_by text,
  claim_token text,
  claim_epoch integer,
  claim_at integer,
  lease_until integer,
  outcome text check (outcome = 'done' or outcome = 'waived' or outcome = 'dropped'),
  outcome_by text,
  outcome_at integer,
  outcome_reason text,
  settled_op integer,
  acceptance text check (acceptance = 'pending' or acceptance = 'accepted' or acceptance = 'rejected'),
  acceptance_by text,
  acceptance_at integer,
  acceptance_reason text,
  report text,
  archive text,
  discoveries text not null default '[]',
  epoch integer not null default 0,
  attempts integer not null default 0,
  retries integer not null default 0,
  replans integer not null default 0,
  replans_granted integer not null default 0,

  created_at integer not null,
  created_by text not null,
  updated_at integer not null,
  revision integer not null check (revision > 0),

  feature integer,
  shelved integer not null default 0 check (shelved in (0, 1)),
  hash text not null default '',
  pending integer not null default 0 check (pending >= 0),
  held integer not null default 0 check (held in (0, 1)),
  live integer not null default 0 check (live >= 0),
  finished integer not null default 0 check (finished between 0 and live),
  tasks_live integer not null default 0 check (tasks_live >= 0),
  tasks_finished integer not null default 0 check (tasks_finished between 0 and tasks_live),
  landed_op integer,
  awaited integer not null default 0 check (awaited >= 0),
  ready integer check (ready between 0 and 5),

  check ((tier = 'mission') = (parent is null)),
  check ((tier = 'task') = (kind is not null)),
  check (inbox = 0 or tier = 'feature'),
  check ((approved_by is null) = (approved_hash is null)),
  check ((freeze_reason is null) = (freeze_at is null)),
  check ((claim_token is null) = (lease_until is null)),
  check (claim_token is null or (tier = 'task' and outcome is null and freeze_reason is null)),
  check ((outcome is null) = (settled_op is null)),
  check (outcome <> 'done' or (tier = 'task' and acceptance is not null and acceptance = 'accepted')),
  check (ready is null or (tier = 'task' and claim_token is null and outcome is null and approved_by is not null))
);

create unique index node_id on node (lower(id));
create index node_parent on node (parent, nr);
create index node_ready on node (ready, nr) where ready is not null;
create index node_ready_in_feature on node (feature, ready, nr, parent) where ready is not null;
create index node_task_in_feature on node (feature, outcome, nr) where tier = 'task' and kind <> 'land';
create unique index node_open_land on node (parent) where kind = 'land' and outcome is null;
create index node_lease on node (lease_until) where lease_until is not null;

create table edge (
  node integer not null references node (nr) deferrable initially deferred,
  target integer not null references node (nr) deferrable initially deferred,
  primary key (node, target),
  check (node <> target)
) without rowid;
create index edge_target on edge (target, node);

create table focus (
  actor text primary key,
  node integer not null references node (nr) deferrable initially deferred
) without rowid;

create table operation (
  op integer primary key,
  at integer not null,
  actor text not null,
  verb text not null,
  sentence text not null,
  git_commit text,
  undoes integer references operation (op),
  redoes integer references operation (op)
);
create index operation_undoes on operation (undoes) where undoes is not null;
create index operation_redoes on operation (redoes) where redoes is not null;

create table change (
  nr integer primary key,
  op integer not null references operation (op),
  entity text not null,
  key text not null,
  before text,
  after text
);
create index change_row on change (key, entity, op);

create table counter (
  name text primary key,
  value integer not null
) without rowid;
