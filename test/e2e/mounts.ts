import { chmodSync, mkdirSync } from 'node:fs';

/** A folder with a property of its own, until it is released. */
export interface Mounted {
  path: string;
  release(): void;
}

/** A file system in memory of its own size; null, with the reason printed, where it cannot be had. */
export function tmpfs(path: string, megabytes: number, options = ''): Mounted | null {
  mkdirSync(path, { recursive: true });
  const how = `size=${megabytes}m,mode=700${options}`;
  const mount = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', how, 'tmpfs', path], { stderr: 'pipe' });
  if (mount.exitCode !== 0)
    return unavailable(`no tmpfs could be mounted: ${mount.stderr.toString().trim()}`);
  return { path, release: () => void Bun.spawnSync(['umount', '-l', path]) };
}

/** A folder that may not be written, also not by root. */
export function readOnlyFolder(path: string): Mounted | null {
  if (process.getuid?.() === 0) return tmpfs(path, 1, ',ro');
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o500);
  return { path, release: () => chmodSync(path, 0o700) };
}

/** Under CI a test that cannot be run is a failure. */
function unavailable(reason: string): null {
  if (process.env.CI) throw new Error(reason);
  process.stderr.write(`skipped: ${reason}\n`);
  return null;
}
