import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BuildArtifact } from 'bun';
import { bundleStyles } from './web-styles.ts';
import { preactForReact } from './web-view.ts';

const root = join(import.meta.dir, '..');
/** Several people at work on one checkout build into folders of their own; the server is told by CONTROL_CENTER_WEB_DIR. */
const OUTPUT = process.env.WEB_OUT ?? join(root, 'dist', 'web');
const MANIFEST = 'build.json';
/** Smaller files do not gain from compression. */
const LEAST_BYTES = 1024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface Manifest {
  /** Digest of everything that the build was made of. */
  sources: string;
  /** Paths below dist/web. */
  files: string[];
}

interface Built {
  files: string[];
  /** What it took, without compression; null when it was built already. */
  bundledMs: number | null;
}

/**
 * Builds the web app into dist/web: split, minified, with `.br` and `.gz` beside each file. The assets of the build before stay,
 * so that a tab that is open finds its parts. Does nothing when the sources are those of the last build.
 */
export async function buildWeb({ force = false } = {}): Promise<Built> {
  const sources = await digestOfSources();
  const last = await readManifest();
  if (!force && last?.sources === sources) return { files: last.files, bundledMs: null };
  await mkdir(dirname(OUTPUT), { recursive: true });
  const staged = await mkdtemp(`${OUTPUT}-`);
  try {
    const begun = performance.now();
    const files = await bundle(staged);
    const bundledMs = performance.now() - begun;
    await Promise.all(files.map((file) => compress(join(staged, file))));
    await publish(staged, { sources, files }, last);
    return { files, bundledMs };
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

async function bundle(outdir: string): Promise<string[]> {
  const options = {
    entrypoints: [join(root, 'web', 'index.html')],
    outdir,
    minify: true,
    splitting: true,
    publicPath: '/',
    plugins: [preactForReact],
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: {
      entry: '[name].[ext]',
      chunk: 'assets/[name]-[hash].[ext]',
      asset: 'assets/[name]-[hash].[ext]',
    },
  };
  const result = await Bun.build(options);
  if (!result.success) throw new AggregateError(result.logs, 'the web app does not build');
  const files = result.outputs.map(({ path }) => path.slice(outdir.length + 1));
  const styles = await splitStyles(outdir, options, files.filter(isStyle));
  return [...files.filter((file) => !isStyle(file)), ...styles];
}

const isStyle = (file: string): boolean => file.endsWith('.css');

/** Puts the styles of each part in place of the bundler's, and names them in the page, where `withStyles` finds them. */
async function splitStyles(outdir: string, options: Bun.BuildConfig, whole: string[]): Promise<string[]> {
  const { start, parts } = await bundleStyles(options);
  const name = ({ path }: BuildArtifact) => path.replace(/^\.\//, '');
  for (const file of whole) await rm(join(outdir, file));
  for (const styles of [start, ...parts.values()])
    await writeFile(join(outdir, name(styles)), await styles.text());
  const page = join(outdir, 'index.html');
  const html = await readFile(page, 'utf8');
  const link = /<link rel="stylesheet"[^>]*>/;
  if (!link.test(html)) throw new Error('index.html has lost the link to its styles');
  const byPart = Object.fromEntries([...parts].map(([part, styles]) => [part, `/${name(styles)}`]));
  const data = `<script type="application/json" id="part-styles">${JSON.stringify(byPart)}</script>`;
  await writeFile(
    page,
    html.replace(link, `<link rel="stylesheet" crossorigin href="/${name(start)}">${data}`),
  );
  return [start, ...parts.values()].map(name);
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < LEAST_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${path}.br`, await compressBrotli(bytes, { params }));
  await writeFile(`${path}.gz`, await compressGzip(bytes, { level: 9 }));
}

/** Puts the assets in place, then the page that names them; what neither this build nor the last one has goes. */
async function publish(staged: string, manifest: Manifest, last: Manifest | null): Promise<void> {
  const keep = new Set([...manifest.files, ...(last?.files ?? [])]);
  await cp(join(staged, 'assets'), join(OUTPUT, 'assets'), { recursive: true });
  const pages = (await readdir(staged)).filter((name) => name !== 'assets');
  for (const name of pages) await rename(join(staged, name), join(OUTPUT, name));
  for (const name of ['index.html.br', 'index.html.gz'])
    if (!pages.includes(name)) await rm(join(OUTPUT, name), { force: true });
  await writeFile(join(OUTPUT, MANIFEST), JSON.stringify(manifest));
  for (const name of await readdir(join(OUTPUT, 'assets'))) {
    if (!keep.has(`assets/${name.replace(/\.(br|gz)$/, '')}`)) await rm(join(OUTPUT, 'assets', name));
  }
}

async function readManifest(): Promise<Manifest | null> {
  const text = await readFile(join(OUTPUT, MANIFEST), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Manifest);
}

/** The browser's code, the core's, and the packages by their lock. Of the services the app has types alone. */
async function digestOfSources(): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  const paths = [
    'bun.lock',
    'package.json',
    'scripts/build-web.ts',
    'scripts/web-styles.ts',
    'scripts/web-view.ts',
  ];
  for (const pattern of ['web/**/*', 'core-wasm/*.ts'])
    for await (const path of new Bun.Glob(pattern).scan({ cwd: root }))
      if (!path.includes('.test.')) paths.push(path);
  for (const path of paths.sort()) hash.update(`${path}\n`).update(await readFile(join(root, path)));
  return hash.update(Bun.version).digest('hex');
}

if (import.meta.main) {
  const { files, bundledMs } = await buildWeb({ force: process.argv.includes('--force') });
  const took = bundledMs === null ? null : `bundled in ${(bundledMs / 1000).toFixed(2)} s`;
  console.log(took ? `built ${files.length} files into ${OUTPUT}, ${took}` : `${OUTPUT} is up to date`);
}
