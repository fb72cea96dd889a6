// Keeps what is inside of a sandbox away from the kernel's keyrings: they have no namespace, so a worker would possess the keys of your
// session. A filter for system calls refuses the three calls that reach them, as it does in most containers.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Each architecture as the kernel names it, and the first of its three calls: `add_key`, `request_key`, `keyctl` follow each other. */
const FIRST_CALL: readonly (readonly [architecture: number, call: number])[] = [
  [0xc000003e, 248], // x86_64
  [0x40000003, 286], // programs for 32 bits on it
  [0xc00000b7, 217], // aarch64
  [0x40000028, 309], // programs for 32 bits on it
  [0xc00000f3, 217], // riscv64
  [0xc0000102, 217], // loongarch64
  [0xc0000015, 269], // ppc64le
  [0x80000016, 278], // s390x
];

const CALLS = 3;
/** x86_64 marks calls of its second interface with this bit. Nowhere else does a call have it. */
const WITHOUT_MARK = ~0x40000000 >>> 0;

/** Of a classic BPF program: what an instruction does. */
const [LOAD, AND, EQUAL, AT_LEAST, RETURN] = [0x20, 0x54, 0x15, 0x35, 0x06];
const [ALLOW, REFUSE] = [0x7fff0000, 0x00050001]; // The second one: an error, with EPERM.
const [NUMBER_AT, ARCHITECTURE_AT] = [0, 4];

type Instruction = readonly [code: number, value: number, skipIfSo?: number, skipIfNot?: number];

const program = (): Instruction[] => [
  ...FIRST_CALL.flatMap(([architecture, call]): Instruction[] => [
    [LOAD, ARCHITECTURE_AT],
    [EQUAL, architecture, 0, 6],
    [LOAD, NUMBER_AT],
    [AND, WITHOUT_MARK],
    [AT_LEAST, call, 0, 2],
    [AT_LEAST, call + CALLS, 1, 0],
    [RETURN, REFUSE],
    [RETURN, ALLOW],
  ]),
  [RETURN, ALLOW],
];

/** As the kernel reads them: two bytes, one, one, four, in the order of this machine. */
function asBytes(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * 8);
  const [halves, wholes] = [new Uint16Array(bytes.buffer), new Uint32Array(bytes.buffer)];
  for (const [i, [code, value, skipIfSo = 0, skipIfNot = 0]] of instructions.entries()) {
    halves[i * 4] = code;
    bytes.set([skipIfSo, skipIfNot], i * 8 + 2);
    wholes[i * 2 + 1] = value;
  }
  return bytes;
}

/** The file with the filter, in a folder that is not within the sandbox. */
export function keyFilterIn(folder: string): string {
  const file = join(folder, "kernel-keys.bpf");
  if (!existsSync(file)) writeFileSync(file, asBytes(program()), { mode: 0o600 });
  return file;
}
