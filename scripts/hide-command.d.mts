export function hideCommands(names: readonly string[], path?: string): string;
