import type { BunPlugin } from 'bun';

/** What the development server lacks, named in bunfig.toml, the only way in which that server takes plugins. */
const development: BunPlugin = {
  name: 'development',
  setup(build) {
    build.onLoad({ filter: /\.module\.css$/ }, async ({ path }) => ({
      contents: await scriptOf(path),
      loader: 'js',
    }));
    // What only passes on is told anew with each module that takes of it, which ends in a reload of the page: here it does more.
    build.onLoad({ filter: /react-query\/build\/modern\/index\.js$/ }, async ({ path }) => ({
      contents: `${await Bun.file(path).text()}\nexport const isWhole = true;`,
      loader: 'js',
    }));
  },
};
export default development;

/**
 * CSS modules are not linked (https://github.com/oven-sh/bun/issues/18258): each becomes a script that puts its rules into the
 * page and gives the names of its classes.
 */
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
