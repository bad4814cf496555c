import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { Fault } from '../../../kit/fault.ts';
import type { Target } from './target.ts';

/** How long an address may take to answer while there is another one to try. */
const PATIENCE_MS = 6_000;
const MAX_ADDRESSES = 4;

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'ControlCenter/1 (fetch_url)',
  connection: 'close',
};

/**
 * Sends one GET to the checked addresses, one after the other until one answers. The connection is made to the address
 * itself, so that no name is looked up between check and use; TLS is held to the host's name all the same. Neither proxies
 * nor trust that the environment names are used.
 * @param ca a certificate to trust in place of the host's own ones
 * @throws Fault unavailable, or the signal's reason
 */
export async function exchange(target: Target, signal: AbortSignal, ca?: string): Promise<IncomingMessage> {
  const addresses = target.addresses.slice(0, MAX_ADDRESSES);
  let failure: unknown = null;
  for (const [at, address] of addresses.entries()) {
    const isLast = at === addresses.length - 1;
    const patience = new AbortController();
    const timer = isLast ? undefined : setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      return await ask(target.url, address, AbortSignal.any([signal, patience.signal]), ca);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    } finally {
      clearTimeout(timer);
    }
  }
  throw unreachable(target.url, failure);
}

function ask(url: URL, address: string, signal: AbortSignal, ca?: string): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = {
    host: address,
    port: url.port || (isSecure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...HEADERS },
    agent: false,
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = isSecure ? https.request({ ...options, ...secureOptions(url, ca) }) : http.request(options);
  request.on('response', resolve).on('error', reject).end();
  return promise;
}

function secureOptions({ hostname }: URL, ca?: string) {
  // An address has no server name; its certificate has to name the address.
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return {
    ...(isAddress ? {} : { servername: hostname }),
    ...(ca === undefined ? {} : { ca }),
    // Said, since an environment variable can turn the default off.
    rejectUnauthorized: true,
  };
}

const CERTIFICATE = /CERT|SIGNED|ISSUER|TLS|SSL|HOSTNAME/;

function unreachable(url: URL, error: unknown): Fault {
  const code = String((error as { code?: unknown } | null)?.code ?? 'no answer');
  const why = CERTIFICATE.test(code) ? `its certificate was not accepted (${code})` : code;
  return new Fault('unavailable', `${url.origin} could not be reached: ${why}.`, {}, { cause: error });
}
