import { Fault } from '../../kit/fault.ts';

/** A pull request of a provider: its repository as `owner/name`. */
export interface PullRef {
  repository: string;
  number: number;
}

/** `owner/name`, neither of which is made of dots alone. */
export const REPOSITORY = /^(?!\.+\/)[\w.-]{1,100}\/(?!\.+$)[\w.-]{1,100}$/;
const PATH = /^\/([^/]+\/[^/]+)\/pull\/([1-9]\d{0,8})(?:\/(?:files|commits|checks)?)?$/;

/**
 * Reads the address of a pull request as a browser shows it.
 * @param webHost where the configured provider's pages are: `github.com`, `127.0.0.1:3000`
 * @throws Fault invalid_request for anything else, or another host
 */
export function parsePullUrl(text: string, webHost: string): PullRef {
  const url = URL.canParse(text) ? new URL(text) : null;
  const [, repository = '', number = ''] = (url && PATH.exec(url.pathname)) ?? [];
  const isWeb = url !== null && ['https:', 'http:'].includes(url.protocol);
  if (!isWeb || !REPOSITORY.test(repository)) throw notAPull(text, webHost);
  if (![webHost, 'github.com'].includes(url.host)) throw notAPull(text, webHost);
  return { repository, number: Number(number) };
}

function notAPull(text: string, webHost: string): Fault {
  const shown = JSON.stringify(text.slice(0, 200));
  return new Fault(
    'invalid_request',
    `${shown} is not the address of a pull request. Give it as https://${webHost}/owner/repository/pull/7.`,
    { faults: [{ path: 'url', message: 'must be the address of a pull request' }] },
  );
}
