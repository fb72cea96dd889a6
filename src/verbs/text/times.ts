// Moments as people read them: everywhere in the same form, and with their zone.

export const minute = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

export const second = (iso: string): string => `${iso.slice(0, 19).replace("T", " ")} UTC`;
