import { lookup } from 'node:dns/promises';
import { Fault } from '../../../kit/fault.ts';
import { isPublicAddress } from './public-address.ts';

/** Every address of a host name. */
type Resolve = (hostname: string) => Promise<string[]>;

/** A URL with the addresses that it may be fetched from; the host name is not looked up again. */
export interface Target {
  url: URL;
  addresses: readonly string[];
}

export interface TargetRules {
  /** `host:port` as they stand in URLs: there any address and port will do. */
  allow: readonly string[];
  resolve: Resolve;
}

const MAX_URL_CHARACTERS = 8_000;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Fault `invalid_request` for what is no URL that can be fetched. `base` is what a relative one is relative to. */
export function readUrl(text: string, base?: URL): URL {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text, base?.href) : null;
  if (url === null)
    throw refused(`${JSON.stringify(text.slice(0, 200))} is no URL; give a whole one, with https://.`);
  if (DEFAULT_PORTS[url.protocol] === undefined)
    throw refused(`Only http and https URLs can be fetched, not ${url.protocol} ones.`);
  if (url.username !== '' || url.password !== '')
    throw refused('A URL with a user name or password in it is not fetched; leave them out.');
  url.hash = '';
  return url;
}

/**
 * Looks the host up once and checks every address that it has.
 * @throws Fault invalid_request for a port, forbidden for an address that is not public, unavailable for an unknown host
 */
export async function findTarget(url: URL, { allow, resolve }: TargetRules): Promise<Target> {
  const port = url.port || DEFAULT_PORTS[url.protocol];
  const isAllowed = allow.includes(`${url.hostname}:${port}`);
  if (!isAllowed && url.port !== '' && url.port !== '80' && url.port !== '443')
    throw refused(`Port ${url.port} is not fetched from; only 80 and 443 are.`);
  const addresses = await addressesOf(url.hostname, resolve);
  const inside = addresses.find((address) => !isPublicAddress(address));
  if (isAllowed || inside === undefined) return { url, addresses };
  throw new Fault(
    'forbidden',
    `${url.hostname} leads to ${inside}, which is no public address, so it is not fetched. A person who runs the server can allow ${url.hostname}:${port} in CC_FETCH_ALLOW.`,
    { hostname: url.hostname },
  );
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<string[]> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const addresses = await resolve(bare).catch((error: unknown) => {
    throw new Fault('unavailable', unknownHost(hostname), { hostname }, { cause: error });
  });
  if (addresses.length === 0) throw new Fault('unavailable', unknownHost(hostname), { hostname });
  return addresses;
}

function unknownHost(hostname: string): string {
  return `The host ${hostname} is not known; check its name.`;
}

/** As this host resolves names. */
export async function resolveHost(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

function refused(message: string): Fault {
  return new Fault('invalid_request', message);
}
