import type { BunPlugin } from 'bun';

const RUNTIMES = new Set(['react/jsx-runtime', 'react/jsx-dev-runtime']);

/**
 * The app is written against React and runs on Preact, which has its interface: the first page weighs half as much, and
 * there is room for what people use.
 */
export const preactForReact: BunPlugin = {
  name: 'preact for react',
  setup(build) {
    build.onResolve({ filter: /^react(-dom)?(\/.*)?$/ }, ({ path }) => ({
      path: Bun.resolveSync(moduleFor(path), import.meta.dir),
    }));
  },
};

function moduleFor(path: string): string {
  if (RUNTIMES.has(path)) return 'preact/jsx-runtime';
  return path === 'react-dom/client' ? 'preact/compat/client' : 'preact/compat';
}
