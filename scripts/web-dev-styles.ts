import type { BunPlugin } from 'bun';

/**
 * The styles of components for the development server, which does not link CSS modules by itself
 * (https://github.com/oven-sh/bun/issues/18258): each becomes a script that puts its rules into the page and gives the names
 * of its classes. Named in bunfig.toml, the only way in which that server takes plugins.
 */
const moduleStyles: BunPlugin = {
  name: 'module styles',
  setup(build) {
    build.onLoad({ filter: /\.module\.css$/ }, async ({ path }) => ({
      contents: await scriptOf(path),
      loader: 'js',
    }));
  },
};
export default moduleStyles;

async function scriptOf(path: string): Promise<string> {
  const entry = '/styles.js';
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: `export { default } from ${JSON.stringify(path)}` },
  });
  const rules = outputs.find((output) => output.path.endsWith('.css'));
  const names = outputs.find((output) => output.path.endsWith('.js'));
  if (!names) throw new Error(`${path} does not build`);
  // The same styles once more, after a change, take the place of the former.
  return `${await names.text()}
const id = ${JSON.stringify(path)};
const style = document.querySelector('style[data-of="' + id + '"]') ?? document.createElement('style');
style.dataset.of = id;
style.textContent = ${JSON.stringify((await rules?.text()) ?? '')};
document.head.append(style);`;
}
