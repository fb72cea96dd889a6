alter table node add column approved_seal text;
