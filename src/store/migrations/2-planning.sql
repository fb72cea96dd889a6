create table item (
  entity text not null,
  key text not null,
  owner text not null,
  state text not null,
  fields text not null,
  created_op integer not null,
  revision integer not null check (revision > 0),
  updated_at integer not null,
  primary key (entity, key)
);
create index item_of_owner on item (entity, owner, state, created_op);
create index item_in_state on item (entity, state, created_op);

create table document (
  hash text primary key check (length(hash) = 64),
  body text not null
);
