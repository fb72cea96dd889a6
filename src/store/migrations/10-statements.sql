alter table operation add column statement text;
