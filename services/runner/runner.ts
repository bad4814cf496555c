/**
 * What a host runner does for the rest of the system. Arguments and results are plain JSON, but for the abort signal
 * and the output callback of a command, so that a runner on another machine is only another transport.
 * Every method rejects with a `Fault`; the codes are named where a caller branches on them.
 */

/** A linked repository: `name` is the slug of its folder under `repos/`, `path` a local git repository. */
export interface RepositoryRef {
  name: string;
  path: string;
}

/** One conversation's working tree of one linked repository (`repository` is `RepositoryRef.name`). */
export interface WorktreeRef {
  workspaceId: string;
  conversationId: string;
  repository: string;
}

export interface Author {
  name: string;
  email: string;
}

/** `network: 'shared'` says that sandboxed commands use the host's network unfiltered. */
export interface SandboxFacts {
  backend: 'bubblewrap' | null;
  reason: string | null;
  network: 'shared';
}

export interface HostFacts {
  platform: string;
  git: string | null;
  sandbox: SandboxFacts;
  ripgrep: boolean;
}

/** `path` is the top level with links followed; `defaultBranch` falls back to the checked-out branch. */
export interface RepositoryFacts {
  path: string;
  defaultBranch: string;
  head: string;
  dirty: boolean;
}

export interface MergeConflict {
  branch: string;
  files: string[];
}

/** `base` is a commit or a branch; `merge` names branches to merge onto it, in order. */
export interface OpenWorktree extends WorktreeRef {
  source: RepositoryRef;
  branch: string;
  base: string;
  merge: string[];
}

/** `base` is the commit the work started from; `head` is the branch's commit now. */
export interface OpenedWorktree {
  path: string;
  branch: string;
  base: string;
  head: string;
  merged: string[];
  conflicts: MergeConflict[];
}

/** `startLine` counts from 1. */
export interface ReadFile {
  path: string;
  startLine?: number;
  lines?: number;
}

/** `bytes` is the size of the whole file; `truncated` when lines of it are not in `text`. */
export interface FileText {
  text: string;
  totalLines: number;
  truncated: boolean;
  bytes: number;
}

export interface ListFiles {
  path?: string;
  glob?: string;
  limit?: number;
}

export interface FileList {
  files: string[];
  truncated: boolean;
}

/** `pattern` is a regular expression in ripgrep's syntax; `caseSensitive` defaults to true. */
export interface SearchFiles {
  pattern: string;
  path?: string;
  glob?: string;
  caseSensitive?: boolean;
  limit?: number;
}

export interface SearchMatch {
  path: string;
  line: number;
  text: string;
}

/** `truncated` when the limit or the time allowed ended the search before all of it was seen. */
export interface SearchResult {
  matches: SearchMatch[];
  truncated: boolean;
}

export interface EditFile {
  path: string;
  oldText: string;
  newText: string;
  replaceAll?: boolean;
}

export interface RunCommand {
  command: string;
  timeoutMs: number;
  readOnly: boolean;
  signal?: AbortSignal;
  onOutput?(chunk: string): void;
}

/**
 * `output` is stdout and stderr as they came, at most 30 kB with the cut said; when it was cut, `fullOutputPath` is
 * a file on the runner's host with the first 64 MiB. `exitCode` is null when the command was killed.
 */
export interface CommandResult {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  cancelled: boolean;
  output: string;
  truncated: boolean;
  fullOutputPath: string | null;
  durationMs: number;
  sandboxed: boolean;
}

export interface LoggedCommit {
  commit: string;
  author: Author;
  timeMs: number;
  subject: string;
}

export interface CommitLog {
  commits: LoggedCommit[];
  truncated: boolean;
}

/** The working tree, new files included, against `base`. `stat` is git's summary by file. */
export interface WorktreeDiff {
  diff: string;
  truncated: boolean;
  stat: string;
}

export interface WorktreeStatus {
  branch: string;
  head: string;
  base: string;
  dirty: string[];
}

export interface CommitWork {
  message: string;
  author: Author;
  coAuthor: Author | null;
  key: string;
}

/** `commit` is null when there was nothing to commit. */
export interface CommittedWork {
  commit: string | null;
  files: number;
}

export interface IntegrateBranches {
  workspaceId: string;
  source: RepositoryRef;
  branch: string;
  base: string;
  merge: string[];
  author: Author;
  key: string;
}

export interface IntegratedBranches {
  branch: string;
  head: string;
  merged: string[];
  conflicts: MergeConflict[];
}

/** `reason` says why the worktree was kept, or, after a discard, what was thrown away. */
export interface ClosedWorktree {
  removed: boolean;
  reason: string | null;
}

export interface Runner {
  probe(): Promise<HostFacts>;
  /** Fault `not_a_repository` for anything worktrees cannot be made from: no repository, bare, or without a commit. */
  inspectRepository(path: string): Promise<RepositoryFacts>;
  /** Idempotent: one that is open already is returned as recorded. A merge that conflicts is listed and left out. */
  openWorktree(input: OpenWorktree): Promise<OpenedWorktree>;
  /** Faults `file_not_found`, `path_outside_worktree`, `invalid_request` (not text), `too_large`. */
  readFile(worktree: WorktreeRef, input: ReadFile): Promise<FileText>;
  /** Files git would track: what .gitignore excludes is left out. */
  listFiles(worktree: WorktreeRef, input: ListFiles): Promise<FileList>;
  searchFiles(worktree: WorktreeRef, input: SearchFiles): Promise<SearchResult>;
  /** Replaces the whole file in one step; on Fault `disk_full` the old content is intact. */
  writeFile(
    worktree: WorktreeRef,
    input: { path: string; content: string },
  ): Promise<{ bytes: number; created: boolean }>;
  /** Faults `no_match` and `ambiguous_match` say where the nearest text or the several matches are. */
  editFile(worktree: WorktreeRef, input: EditFile): Promise<{ replacements: number }>;
  deleteFile(worktree: WorktreeRef, input: { path: string }): Promise<void>;
  /** A command that fails, is cancelled or times out is a result, not a fault. Nothing it started outlives it. */
  runCommand(worktree: WorktreeRef, input: RunCommand): Promise<CommandResult>;
  gitLog(worktree: WorktreeRef, input: { limit?: number }): Promise<CommitLog>;
  gitDiff(worktree: WorktreeRef, input: { base?: string; path?: string }): Promise<WorktreeDiff>;
  gitStatus(worktree: WorktreeRef): Promise<WorktreeStatus>;
  /** Commits everything. A second call with the same key returns the first one's commit and commits nothing. */
  commit(worktree: WorktreeRef, input: CommitWork): Promise<CommittedWork>;
  /** Only ever adds to `branch`; the source's checkout, index and other branches stay as they are. */
  integrate(input: IntegrateBranches): Promise<IntegratedBranches>;
  /** Keeps a worktree with uncommitted or unmerged work unless `discard`. */
  closeWorktree(worktree: WorktreeRef, input: { discard: boolean }): Promise<ClosedWorktree>;
}
