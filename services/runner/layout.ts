import { join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import type { WorktreeRef } from './runner.ts';

/** Absolute paths of everything the runner keeps for one conversation's worktree. */
export interface WorktreePlaces {
  worktree: string;
  record: string;
  /** HOME and TMPDIR of its commands. */
  home: string;
  temp: string;
  /** Where files are made before they are renamed into place; never visible to commands. */
  staging: string;
  output: string;
  /** Objects and refs that sandboxed git writes before they are taken over into the source repository. */
  overlay: string;
  /** Git directory of the worktree's snapshots. */
  snapshots: string;
}

const SLUG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Checks an id or slug that becomes a folder name. Fault `invalid_request`. */
export function checkSlug(what: string, value: string): string {
  if (SLUG.test(value)) return value;
  throw new Fault(
    'invalid_request',
    `The ${what} ${JSON.stringify(value.slice(0, 80))} cannot name a folder: use letters, digits, ".", "_" and "-", beginning with a letter or digit.`,
  );
}

export function workspacePlace(dataDir: string, workspaceId: string): string {
  return join(dataDir, 'workspaces', checkSlug('workspace id', workspaceId));
}

export function worktreePlaces(dataDir: string, ref: WorktreeRef): WorktreePlaces {
  const repository = checkSlug('repository name', ref.repository);
  const conversation = join(
    workspacePlace(dataDir, ref.workspaceId),
    'worktrees',
    checkSlug('conversation id', ref.conversationId),
  );
  return {
    worktree: join(conversation, 'repos', repository),
    record: join(conversation, 'records', `${repository}.json`),
    home: join(conversation, 'home'),
    temp: join(conversation, 'temp'),
    staging: join(conversation, 'staging'),
    output: join(conversation, 'output'),
    overlay: join(conversation, 'overlay', repository),
    snapshots: join(conversation, 'snapshots', repository),
  };
}
