export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface JsonLimits {
  /** UTF-8 bytes of all strings and keys together. */
  textBytes: number;
  /** Values, containers included. */
  values: number;
  depth: number;
}

export interface JsonFault {
  path: string;
  code: 'invalid' | 'too_large';
  message: string;
}

/** Appends a property to a path: `tickets`, `tickets[2]`, `tickets[2].needs`, `["odd key"]`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

class TooLarge extends Error {
  constructor(readonly fault: JsonFault) {
    super(fault.message);
  }
}

function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate counts two, so that a pair makes four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Copies a value of unknown origin into plain JSON, reading every property once. */
class Snapshot {
  readonly faults: JsonFault[] = [];
  private textBytes = 0;
  private values = 0;

  constructor(private readonly limits: JsonLimits) {}

  copy(value: unknown, path: string, depth: number): Json {
    if (++this.values > this.limits.values) this.stop(path, `has more than ${this.limits.values} values`);
    if (depth > this.limits.depth) this.stop(path, `is nested more than ${this.limits.depth} deep`);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'string') return this.text(value, path);
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return this.list(value, path, depth);
    if (typeof value === 'object') return this.record(value, path, depth);
    return this.refuse(path, `is ${typeof value === 'number' ? String(value) : `a ${typeof value}`}`);
  }

  private text(value: string, path: string): string {
    const { textBytes } = this.limits;
    if (value.length <= textBytes) this.textBytes += utf8Bytes(value);
    if (value.length > textBytes || this.textBytes > textBytes)
      this.stop(path, `brings the text above ${textBytes} bytes`);
    return value;
  }

  private list(value: readonly unknown[], path: string, depth: number): Json {
    const length = value.length;
    if (length > this.limits.values) this.stop(path, `has more than ${this.limits.values} values`);
    return Array.from({ length }, (_, i) => this.copy(value[i], joinPath(path, i), depth + 1));
  }

  private record(value: object, path: string, depth: number): Json {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return this.refuse(path, 'is an object of a class');
    const copy: { [key: string]: Json } = {};
    for (const key of Object.keys(value)) {
      const at = joinPath(path, key.slice(0, 80));
      this.text(key, at);
      const item = (value as Record<string, unknown>)[key];
      if (item === undefined) continue;
      if (key === '__proto__') this.refuse(at, 'is a reserved name');
      else copy[key] = this.copy(item, at, depth + 1);
    }
    return copy;
  }

  private refuse(path: string, what: string): null {
    this.faults.push({ path, code: 'invalid', message: `${what}; give plain JSON here` });
    return null;
  }

  private stop(path: string, what: string): never {
    throw new TooLarge({ path, code: 'too_large', message: `${what}; make it smaller` });
  }
}

/**
 * A plain JSON copy of `input` with the faults found on the way, or null where it is too large to be read on. Throws
 * nothing: a getter or proxy that throws is a fault.
 */
export function snapshotJson(
  input: unknown,
  limits: JsonLimits,
): { value: Json; faults: JsonFault[] } | JsonFault {
  const snapshot = new Snapshot(limits);
  try {
    return { value: snapshot.copy(input, '', 0), faults: snapshot.faults };
  } catch (error) {
    if (error instanceof TooLarge) return error.fault;
    const what = error instanceof Error ? error.message : String(error);
    return { path: '', code: 'invalid', message: `could not be read (${what}); give plain JSON` };
  }
}

/** JSON text with the keys of every object sorted with <: the same bytes for the same value on every engine. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const record = value as Record<string, unknown>;
  const fields = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${fields.join(',')}}`;
}
