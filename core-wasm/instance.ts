import { base64, sha256 } from './core-wasm.gen.ts';
import { CoreError, type CoreErrorCode } from './errors.ts';

/** The kernels of assembly/main.ts. Pointers are byte addresses; a result below zero is a status. */
export interface Kernels {
  readonly memory: WebAssembly.Memory;
  abi(): number;
  detail(): number;
  reserve(bytes: number): number;
  quartiles(...columns: readonly number[]): number;
  estimate(...columns: readonly number[]): number;
  path(...columns: readonly number[]): number;
  plan(...columns: readonly number[]): number;
  backEdges(...columns: readonly number[]): number;
  simulate(...columns: readonly number[]): number;
  surface(...columns: readonly number[]): number;
  verdict(base: number, low: number, high: number): number;
}

const ABI = 1;
const MAX_IDLE_BYTES = 16 << 20;
const STATUS: Readonly<Record<number, CoreErrorCode>> = {
  [-1]: 'CYCLE',
  [-2]: 'BAD_INDEX',
  [-3]: 'BAD_SAMPLE',
  [-4]: 'BAD_OFFSETS',
  [-5]: 'OUT_OF_MEMORY',
  [-6]: 'BAD_ARGUMENT',
};

function decode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Compiled while the module loads: workerd allows code generation at no other time.
const compiled = new WebAssembly.Module(decode(base64));

/** SHA-256 of the WebAssembly module, hex. */
export const coreDigest: string = sha256;

let live: Kernels | null = null;
let tenant: object | null = null;

function instance(): Kernels {
  if (live) return live;
  const kernels = new WebAssembly.Instance(compiled, {}).exports as unknown as Kernels;
  if (kernels.abi() !== ABI) throw new CoreError('BAD_ARGUMENT', `abi ${kernels.abi()}, wanted ${ABI}`);
  tenant = null;
  live = kernels;
  return kernels;
}

function drop(): void {
  live = null;
  tenant = null;
}

/**
 * Runs `use` on the one shared instance. Calls are synchronous, so they cannot interleave. Anything but a CoreError is a
 * trap: it is thrown as TRAP and the instance is replaced. An instance that grew past 16 MiB is dropped afterwards, since
 * its memory can never shrink.
 */
export function withKernels<T>(use: (kernels: Kernels) => T): T {
  const kernels = instance();
  try {
    return use(kernels);
  } catch (error) {
    if (error instanceof CoreError) throw error;
    drop();
    throw new CoreError('TRAP', error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    if (kernels.memory.buffer.byteLength > MAX_IDLE_BYTES) drop();
  }
}

/** Takes the whole arena for `owner`, whose columns stay valid until somebody else takes it. Returns its base address. */
export function takeArena(kernels: Kernels, bytes: number, owner: object | null): number {
  tenant = null;
  const base = succeed(kernels, kernels.reserve(bytes));
  tenant = owner;
  return base;
}

/** Whether the columns that `owner` wrote into the arena are still there. */
export const holdsArena = (owner: object): boolean => live !== null && tenant === owner;

/** Passes a result on, or throws the CoreError of a status below zero. `where` turns the kernel's detail into words. */
export function succeed(kernels: Kernels, status: number, where?: (detail: number) => string): number {
  if (status >= 0) return status;
  const code = STATUS[status];
  if (code === undefined) throw new CoreError('TRAP', `unknown status ${status}`);
  const detail = kernels.detail();
  throw new CoreError(code, where?.(detail) ?? String(detail));
}

/** Bytes of the live instance's memory, 0 when there is none. */
export const coreMemoryBytes = (): number => live?.memory.buffer.byteLength ?? 0;
