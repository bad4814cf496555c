const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
let lastMs = 0;
let lastTail = 0n;

/**
 * A sortable id, `prefix_` + 9 characters of time + 13 of chance (Crockford base 32, 65 random bits). Ids made by one
 * process grow strictly, also within a millisecond.
 */
export function newId<P extends string>(prefix: P, nowMs: number = Date.now()): `${P}_${string}` {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    lastTail = randomTail();
  } else {
    lastTail += 1n;
  }
  return `${prefix}_${encode(BigInt(lastMs), 9)}${encode(lastTail, 13)}`;
}

function randomTail(): bigint {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function encode(value: bigint, length: number): string {
  let out = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    out = ALPHABET[Number(rest & 31n)] + out;
    rest >>= 5n;
  }
  return out;
}
