import { lstat, mkdir, readdir, readFile, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import { Slug } from '../fields.ts';
import type { Agent } from './schema.ts';

const STAGED = '.staged-';

/**
 * Makes `<root>/<name>/` say what the row says: `AGENTS.md` and a link for each skill
 * that can have a directory. Writes only what differs, each
 * part by rename. What stands there as a link instead of a directory is replaced, never followed.
 */
export async function writeAgentDirectory(root: string, agent: Agent): Promise<void> {
  await mkdir(root, { recursive: true });
  const target = join(root, agent.name);
  if (await isDirectory(target)) return fill(target, agent);
  await rm(target, { force: true });
  const staged = join(root, `${STAGED}${crypto.randomUUID()}`);
  try {
    await mkdir(staged);
    await fill(staged, agent);
    await rename(staged, target);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Removes what {@link writeAgentDirectory} wrote. False when something else is in there too, which then stays. */
export async function removeAgentDirectory(root: string, name: string): Promise<boolean> {
  const target = join(root, name);
  if (!(await isDirectory(target))) {
    await rm(target, { force: true });
    return true;
  }
  await rm(join(target, 'AGENTS.md'), { force: true });
  const skills = join(target, '.agents', 'skills');
  if ((await isDirectory(join(target, '.agents'))) && (await isDirectory(skills)))
    await syncLinks(skills, []);
  for (const directory of [skills, join(target, '.agents'), target]) await removeIfEmpty(directory);
  return !(await isDirectory(target));
}

/** Names of the agents that have a directory; leftovers of a crash while one was staged are removed. */
export async function agentDirectories(root: string): Promise<string[]> {
  await mkdir(root, { recursive: true });
  const names = await readdir(root);
  const staged = names.filter((name) => name.startsWith(STAGED));
  for (const name of staged) await rm(join(root, name), { recursive: true, force: true });
  return names.filter((name) => !name.startsWith('.'));
}

/** The text other tools read to play this agent. */
function agentsMarkdown(agent: Agent): string {
  const skills = agent.skills.map((skill) => `- ${skill}`).join('\n');
  const sections = [
    `# ${agent.title} (${agent.name})`,
    agent.persona.trim(),
    agent.systemPrompt ? `## Agent instructions\n\n${agent.systemPrompt.trim()}` : '',
    skills && `## Skills\n\n${skills}`,
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

async function fill(directory: string, agent: Agent): Promise<void> {
  const skills = join(directory, '.agents', 'skills');
  await replaceLink(join(directory, '.agents'));
  await replaceLink(skills);
  await mkdir(skills, { recursive: true });
  const file = join(directory, 'AGENTS.md');
  const text = agentsMarkdown(agent);
  if ((await readText(file)) !== text) await writeFileAtomically(file, text);
  const slugs = agent.skills
    .map((skill) => skill.toLowerCase())
    .filter((name) => Slug.safeParse(name).success);
  await syncLinks(skills, slugs);
}

// Only links are ours: a directory that someone put beside them stays.
async function syncLinks(directory: string, skills: readonly string[]): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  const wanted = new Map(skills.map((skill) => [skill, join('..', '..', '..', '..', 'skills', skill)]));
  for (const entry of entries) {
    const path = join(directory, entry.name);
    const kept = !entry.isSymbolicLink() || (await readlink(path)) === wanted.get(entry.name);
    if (kept) wanted.delete(entry.name);
    else await rm(path);
  }
  for (const [skill, target] of wanted) await symlink(target, join(directory, skill));
}

async function replaceLink(path: string): Promise<void> {
  if (!(await isDirectory(path))) await rm(path, { force: true });
}

async function isDirectory(path: string): Promise<boolean> {
  const stats = await orNull(lstat(path));
  return stats?.isDirectory() ?? false;
}

async function readText(path: string): Promise<string | null> {
  const stats = await orNull(lstat(path));
  return stats?.isFile() ? await readFile(path, 'utf8') : null;
}

async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw error;
  }
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '');
}
