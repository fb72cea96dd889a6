// Ties each operation to the one before it by a hash, and keeps a person's signature with what only a person may do.

export const chain = /* sql */ `
alter table operation add column link text not null default '';
alter table operation add column signature text;
`;
