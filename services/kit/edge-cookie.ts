import { Fault } from './fault.ts';

/**
 * The value of a cookie, or null. Several of one name are none: pages of other ports of this machine can set cookies too,
 * and which of them is meant cannot be known.
 */
export function cookieOf(request: Request, name: string): string | null {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const values = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] ? values[0] : null;
}

const READING = new Set(['GET', 'HEAD']);

/**
 * A browser sends its cookie along whoever makes the request. What changes something, and a socket, has to come from a page
 * that says to be of this server; foreign ones are refused before. Pages of other ports are of the same site, so that no
 * attribute of a cookie keeps them out; where a browser says that a request is theirs, it does not even read.
 * @throws Fault foreign_origin
 */
export function requireOwnPage(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    throw new Fault(
      'foreign_origin',
      `A request of another page (${site}) is not served to a signed-in browser.`,
    );
  }
  const isReading = READING.has(request.method) && request.headers.get('upgrade') === null;
  if (isReading || request.headers.get('origin') !== null) return;
  throw new Fault(
    'foreign_origin',
    "With a sign-in cookie, a request that changes something has to carry the Origin of this server's own page. Send it from there, or use `Authorization: Bearer …`.",
  );
}
