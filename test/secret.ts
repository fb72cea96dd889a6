/** A secret of the tests' own: it makes whoever runs a command a person, unless the command is said to be an agent's. */
export const SECRET = "5ec2e7".padEnd(64, "0");
