import { basename, dirname, extname, join, resolve } from 'node:path';
import type { BuildArtifact, BunPlugin } from 'bun';

const NAME = 'assets/[name]-[hash].[ext]';
const NAMES = { entry: NAME, chunk: NAME, asset: NAME };

/**
 * The bundler puts the styles of parts that are loaded later into the first page, too. Here each part is bundled without
 * those that it loads later: what the page begins with, and by the name of its module what each part adds.
 */
export async function bundleStyles(options: Bun.BuildConfig): Promise<{
  start: BuildArtifact;
  parts: Map<string, BuildArtifact>;
}> {
  const found = new Set<string>();
  const done = new Set<string>();
  const parts = new Map<string, BuildArtifact>();
  const start = await stylesOf(options, options.entrypoints[0] as string, found);
  if (!start) throw new Error('the page has no styles');
  for (const path of found) {
    // A set gives what is added to it on the way, too.
    if (done.has(path)) continue;
    done.add(path);
    const styles = await stylesOf(options, path, found);
    if (styles) parts.set(partName(path), styles);
  }
  return { start, parts };
}

/** A part is known by the name of its module: `plan-screen`. */
function partName(path: string): string {
  return basename(path, extname(path));
}

async function stylesOf(
  options: Bun.BuildConfig,
  entrypoint: string,
  found: Set<string>,
): Promise<BuildArtifact | undefined> {
  const { outdir, ...rest } = options;
  const result = await Bun.build({
    ...rest,
    entrypoints: [entrypoint],
    splitting: false,
    // The page itself is thrown away; styles are assets whatever they are of.
    naming: NAMES,
    plugins: [...(rest.plugins ?? []), laterParts(found)],
  });
  if (!result.success) throw new AggregateError(result.logs, 'the styles do not build');
  return result.outputs.find(({ path }) => path.endsWith('.css'));
}

/** Leaves out what is imported later, and says what that is. */
function laterParts(found: Set<string>): BunPlugin {
  return {
    name: 'later parts',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, importer, path }) => {
        if (kind !== 'dynamic-import') return undefined;
        found.add(resolve(dirname(importer), path));
        return { path: join('/', path), external: true };
      });
    },
  };
}
