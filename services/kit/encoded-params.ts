import { Fault } from './fault.ts';

/** Of a path these say "here" and "up", however they are encoded; nothing is called that. */
const DOTS = /^\.{1,2}$/;

/**
 * The same typed client, whose path parameters are each one segment. By itself the client puts them into the path as they
 * are, and `../../other/things` as an id would lead to where the caller never meant to go.
 * @throws Fault not_found from a call with a parameter that can name nothing: an empty one, `.` or `..`
 */
export function withEncodedParams<Client>(client: Client): Client {
  return new Proxy(client as object, {
    get: (target, key) => {
      const inner: unknown = Reflect.get(target, key);
      return typeof inner === 'function' ? withEncodedParams(inner) : inner;
    },
    apply: async (call, self, [input, ...rest]: [{ param?: Record<string, string> }?, ...unknown[]]) =>
      Reflect.apply(call as () => unknown, self, [encoded(input), ...rest]),
  }) as Client;
}

function encoded(input: { param?: Record<string, string> } | undefined) {
  if (input?.param === undefined) return input;
  const segments = Object.entries(input.param).map(([name, value]) => [name, segment(name, value)]);
  return { ...input, param: Object.fromEntries(segments) };
}

function segment(name: string, value: string): string {
  if (value !== '' && !DOTS.test(value)) return encodeURIComponent(value);
  throw new Fault('not_found', `Nothing has ${JSON.stringify(value)} as its ${name}.`);
}
