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

/** Lines and columns (UTF-16 units) count from 1; at most `characters` are given, in whole lines where they fit. */
export interface ReadFile {
  path: string;
  startLine?: number;
  lines?: number;
  startColumn?: number;
  characters?: number;
}

/**
 * `bytes` is the size of the whole file; `truncated` when something of it is not in `text`. Where its last line is too
 * long to be shown whole, `nextColumn` is where that goes on. `version` is the SHA-256 of the content.
 */
export interface FileText {
  text: string;
  startLine: number;
  endLine: number;
  nextColumn: number | null;
  totalLines: number;
  truncated: boolean;
  bytes: number;
  version: string;
}

/** At most `bytes` from `offset` on, 16 MiB at once. */
export interface ReadBytes {
  path: string;
  offset: number;
  bytes: number;
}

/** `data` is base64. */
export interface FileBytes {
  data: string;
  totalBytes: number;
}

export interface ListFiles {
  path?: string;
  glob?: string;
  limit?: number;
}

/** `total` counts what was found, shown or not; null when the time allowed ended the look before all of it was seen. */
export interface FileList {
  files: string[];
  truncated: boolean;
  total: number | null;
}

/**
 * `pattern` is a regular expression in ripgrep's syntax; `caseSensitive` defaults to true. `limit` bounds matching lines,
 * or files where `filesOnly`; `perFile` those of one file; `context` is how many lines around a match are given too.
 */
export interface SearchFiles {
  pattern: string;
  path?: string;
  glob?: string;
  caseSensitive?: boolean;
  limit?: number;
  perFile?: number;
  context?: number;
  filesOnly?: boolean;
}

/** A matching line, or, where `isContext`, one around it. */
export interface SearchLine {
  path: string;
  line: number;
  text: string;
  isContext: boolean;
}

/** `hasMore` when a file has more matching lines than were counted. */
export interface SearchedFile {
  path: string;
  matches: number;
  hasMore: boolean;
}

/** `cut` says what ended the search before all of it was seen: the limit of matches, of bytes, or of time. */
export interface SearchResult {
  lines: SearchLine[];
  files: SearchedFile[];
  cut: 'limit' | 'bytes' | 'time' | null;
}

/** `version` is that of the content which the caller knows: where the file has another by now, nothing is written. */
export interface WriteFile {
  path: string;
  content: string;
  version?: string;
}

export interface WrittenFile {
  bytes: number;
  created: boolean;
  version: string;
}

/** `version` is that of the content which the caller knows; another is told of, and the edit made where it fits. */
export interface EditFile {
  path: string;
  oldText: string;
  newText: string;
  replaceAll?: boolean;
  version?: string;
}

/** `line` is that of the first place; `wasChanged` when the file was not of the version that the caller knew. */
export interface EditedFile {
  replacements: number;
  line: number;
  version: string;
  wasChanged: boolean;
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

/** A worktree's files at one moment; the same files give the same `commit`. `note` names what could not be read. */
export interface Snapshot {
  commit: string;
  note: string | null;
}

export interface FileChange {
  path: string;
  change: 'added' | 'changed' | 'removed';
}

/**
 * `changes` is what differs from the snapshot `before`, at most 1,000 of `total`. `left` is in no snapshot, so it was
 * kept: files that git had ignored and no longer does, ignored ones added by force, and repositories in the worktree, as `path/`.
 */
export interface RestoredFiles {
  changes: FileChange[];
  total: number;
  left: string[];
}

export interface Runner {
  probe(): Promise<HostFacts>;
  /** Fault `not_a_repository` for anything worktrees cannot be made from: no repository, bare, or without a commit. */
  inspectRepository(path: string): Promise<RepositoryFacts>;
  /** Idempotent: one that is open already is returned as recorded. A merge that conflicts is listed and left out. */
  openWorktree(input: OpenWorktree): Promise<OpenedWorktree>;
  /** Faults `file_not_found`, `path_outside_worktree`, `invalid_request` (not text), `too_large`. */
  readFile(worktree: WorktreeRef, input: ReadFile): Promise<FileText>;
  /** A piece of any file as it is. Faults as of `readFile`, but for what is not text. */
  readBytes(worktree: WorktreeRef, input: ReadBytes): Promise<FileBytes>;
  /** Files git would track: what .gitignore excludes is left out. */
  listFiles(worktree: WorktreeRef, input: ListFiles): Promise<FileList>;
  searchFiles(worktree: WorktreeRef, input: SearchFiles): Promise<SearchResult>;
  /** Replaces the whole file in one step; on Fault `disk_full` the old content is intact. Fault `conflict` for another version. */
  writeFile(worktree: WorktreeRef, input: WriteFile): Promise<WrittenFile>;
  /** Faults `no_match` and `ambiguous_match` say where the nearest text or the several matches are. */
  editFile(worktree: WorktreeRef, input: EditFile): Promise<EditedFile>;
  deleteFile(worktree: WorktreeRef, input: { path: string }): Promise<void>;
  /** A command that fails, is cancelled or times out is a result, not a fault. Nothing it started outlives it. */
  runCommand(worktree: WorktreeRef, input: RunCommand): Promise<CommandResult>;
  /** A piece of a command's whole output, by its `fullOutputPath`. Fault `file_not_found` once it was removed. */
  readOutput(worktree: WorktreeRef, input: ReadBytes): Promise<FileBytes>;
  removeOutput(worktree: WorktreeRef, input: { path: string }): Promise<void>;
  gitLog(worktree: WorktreeRef, input: { limit?: number }): Promise<CommitLog>;
  gitDiff(worktree: WorktreeRef, input: { base?: string; path?: string }): Promise<WorktreeDiff>;
  gitStatus(worktree: WorktreeRef): Promise<WorktreeStatus>;
  /** Commits everything. A second call with the same key returns the first one's commit and commits nothing. */
  commit(worktree: WorktreeRef, input: CommitWork): Promise<CommittedWork>;
  /**
   * Keeps the files as they are, new ones too and ignored ones not, until the worktree is closed. Nothing else moves. One that
   * is made before `restoring` another waits for what is at work, and holds ignored files too that would be overwritten.
   */
  snapshot(worktree: WorktreeRef, input?: { restoring?: string }): Promise<Snapshot>;
  /**
   * Makes the files those of `commit`, byte for byte; HEAD, index and ignored files stay. `before` is a snapshot to tell the
   * changes against. It can be done again after a crash. Faults `not_found`, `git_failed` (what could not be put back),
   * `cannot_undo` (a repository of its own is in the way).
   */
  restoreSnapshot(worktree: WorktreeRef, input: { commit: string; before: string }): Promise<RestoredFiles>;
  /** Only ever adds to `branch`; the source's checkout, index and other branches stay as they are. */
  integrate(input: IntegrateBranches): Promise<IntegratedBranches>;
  /** Keeps a worktree with uncommitted or unmerged work unless `discard`. */
  closeWorktree(worktree: WorktreeRef, input: { discard: boolean }): Promise<ClosedWorktree>;
}
