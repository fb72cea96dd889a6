alter table operation add column link text not null default '';
alter table operation add column signature text;
