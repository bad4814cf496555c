/** Where the styles of each part are, by the name of its module; the build writes it into the page. */
const paths = JSON.parse(document.getElementById('part-styles')?.textContent || '{}') as Record<
  string,
  string
>;
const loads = new Map<string, Promise<void>>();

/** Loads a part of the app together with its styles, so that it is never shown without them. */
export async function withStyles<T>(part: string, load: () => Promise<T>): Promise<T> {
  const [module] = await Promise.all([load(), stylesOf(part)]);
  return module;
}

function stylesOf(part: string): Promise<void> {
  const path = paths[part];
  if (path === undefined) return Promise.resolve();
  const known = loads.get(part);
  if (known) return known;
  const load = linked(path);
  loads.set(part, load);
  // What failed can be tried again.
  load.catch(() => loads.delete(part));
  return load;
}

function linked(path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = path;
  link.onload = () => resolve();
  link.onerror = () => {
    link.remove();
    reject(new Error(`The styles at ${path} could not be loaded.`));
  };
  document.head.append(link);
  return promise;
}
