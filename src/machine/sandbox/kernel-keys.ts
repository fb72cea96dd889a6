// Keeps what is inside of a sandbox away from the kernel's keyrings: they have no namespace, so a worker would possess the keys of your
// session. A filter for system calls refuses the three calls that reach them, as it does in most containers.

import { existsSync, writeFileSync } from "node:fs";
import { endianness } from "node:os";
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

function asBytes(instructions: readonly Instruction[]): Buffer {
  const view = new DataView(new ArrayBuffer(instructions.length * 8));
  const isLittle = endianness() === "LE";
  for (const [i, [code, value, skipIfSo = 0, skipIfNot = 0]] of instructions.entries()) {
    view.setUint16(i * 8, code, isLittle);
    view.setUint8(i * 8 + 2, skipIfSo);
    view.setUint8(i * 8 + 3, skipIfNot);
    view.setUint32(i * 8 + 4, value, isLittle);
  }
  return Buffer.from(view.buffer);
}

/** The file with the filter, in a folder that is not within the sandbox. */
export function keyFilterIn(folder: string): string {
  const file = join(folder, "kernel-keys.bpf");
  if (!existsSync(file)) writeFileSync(file, asBytes(program()), { mode: 0o600 });
  return file;
}
