export type CoreErrorCode =
  | 'CYCLE'
  | 'BAD_INDEX'
  | 'BAD_SAMPLE'
  | 'BAD_OFFSETS'
  | 'OUT_OF_MEMORY'
  | 'BAD_ARGUMENT'
  | 'TRAP';

const MENDING: Record<CoreErrorCode, string> = {
  CYCLE: 'the steps wait for each other in a circle; take one of these dependencies out',
  BAD_INDEX: 'an index points outside its column; this is a fault of the core',
  BAD_SAMPLE: 'samples must be whole numbers from 0 to below 2^43 (micro-dollars or milliseconds)',
  BAD_OFFSETS: 'row offsets do not rise to the end of their column; this is a fault of the core',
  OUT_OF_MEMORY: 'the graph and its samples do not fit into 128 MiB; make it smaller',
  BAD_ARGUMENT: 'the value is not one that this function takes',
  TRAP: 'the core stopped and was replaced; the next call works again',
};

/** What every function of the core throws. `detail` says where or what; `code` is stable. */
export class CoreError extends Error {
  override readonly name = 'CoreError';
  readonly code: CoreErrorCode;
  readonly detail: string;

  constructor(code: CoreErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code} at ${detail}: ${MENDING[code]}`, options);
    this.code = code;
    this.detail = detail;
  }
}
