/** The same port, with `before` ahead of each of its calls and `after` behind each that succeeded. */
export function aroundCalls<Port extends object>(
  port: Port,
  before: (method: string) => void,
  after: (method: string) => void = () => undefined,
): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return async (...args: unknown[]) => {
        before(name);
        const result: unknown = await value.apply(target, args);
        after(name);
        return result;
      };
    },
  });
}
