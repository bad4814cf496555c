const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 9;

/** Below every id that was made at `at` or later, and above those made before: ids begin with their time. */
export function idBefore(prefix: string, at: number): string {
  let text = '';
  let rest = Math.max(0, Math.floor(at));
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    text = `${ALPHABET[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${text}`;
}
