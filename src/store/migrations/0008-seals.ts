// Keeps the signature of each approval with it, so that one task can be checked without reading the log.

export const seals = /* sql */ `
alter table node add column approved_seal text;
`;
