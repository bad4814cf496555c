/** The longest answer there is: a page of a hundred large patches. */
const TIMEOUT_MS = 20_000;
const MOST_HOPS = 3;
const REDIRECTS = [301, 302, 307, 308];
/** These say that nothing was done yet, and that the same request is wanted elsewhere, whatever it is. */
const SAME_AGAIN = [307, 308];

/**
 * fetch with a time limit that follows redirects within the provider alone (a repository that was renamed): the token must not
 * go anywhere else.
 */
export function guardedFetch(timeoutMs: number = TIMEOUT_MS): typeof fetch {
  const send = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const signal = AbortSignal.timeout(timeoutMs);
    let url = new URL(input instanceof Request ? input.url : input);
    const { origin } = url;
    const followed = (init.method ?? 'GET') === 'GET' ? REDIRECTS : SAME_AGAIN;
    for (let hop = 0; ; hop++) {
      const response = await fetch(url, { ...init, signal, redirect: 'manual' });
      const location = followed.includes(response.status) ? response.headers.get('location') : null;
      if (location === null || hop === MOST_HOPS) return response;
      url = new URL(location, url);
      if (url.origin !== origin) return response;
    }
  };
  return Object.assign(send, { preconnect: fetch.preconnect });
}
