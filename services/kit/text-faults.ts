/** Deeper nesting than any document of ours has; a hostile one would exhaust the stack of whoever writes it out. */
const MAX_DEPTH = 100;

export interface TextFault {
  path: (string | number)[];
  message: string;
}

const NOT_WELL_FORMED = 'must be well-formed Unicode; a surrogate stands alone in it';
const HAS_NUL = 'must not contain the NUL character';

/** Every text of a JSON value, keys included, that no database or model takes as it is; and nesting beyond all use. */
export function textFaults(value: unknown): TextFault[] {
  const faults: TextFault[] = [];
  visit(value, [], faults);
  return faults;
}

function visit(value: unknown, path: (string | number)[], faults: TextFault[]): void {
  if (typeof value === 'string') {
    const message = faultOf(value);
    if (message !== null) faults.push({ path, message });
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= MAX_DEPTH) {
      faults.push({ path: path.slice(0, 3), message: `must not be nested deeper than ${MAX_DEPTH} levels` });
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, [...path, i], faults);
    } else {
      for (const [key, item] of Object.entries(value)) {
        const message = keyFault(key);
        if (message === null) visit(item, [...path, key], faults);
        else faults.push({ path: [...path, JSON.stringify(key)], message });
      }
    }
  }
}

function keyFault(key: string): string | null {
  return key === '__proto__' ? 'is a name that no field may have' : faultOf(key);
}

function faultOf(text: string): string | null {
  if (!text.isWellFormed()) return NOT_WELL_FORMED;
  return text.includes('\0') ? HAS_NUL : null;
}
