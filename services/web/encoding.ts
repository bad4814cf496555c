/** In the order in which they are preferred. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Below every weight that a client can give: unencoded is taken when nothing else is, or when it is asked for. */
const UNSAID = 0.000_1;

/**
 * The encoding that a client wants most of those there are; of equal ones the smallest. Unencoded when it accepts none of
 * them, which serves it better than a refusal.
 */
export function chooseEncoding(
  accepted: string | null,
  available: (encoding: Encoding) => boolean,
): Encoding {
  const weights = weightsOf(accepted ?? '');
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? UNSAID : 0);
  const wanted = ENCODINGS.filter((encoding) => available(encoding) && weightOf(encoding) > 0);
  return wanted.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? 'identity';
}

/** Weights by name; what cannot be read as one is not wanted. */
function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const given = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const weight =
      given === undefined ? 1 : Number(/^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(given)?.[1] ?? 0);
    if (name !== '') weights.set(name, weight);
  }
  return weights;
}
