import type { EffectClass } from '../../../../../core-wasm/core.ts';
import { certainStart, literalText, type Word } from '../words/word.ts';
import { type Findings, shownText } from './findings.ts';
import { isInside, type Places, type Roots, targetOf } from './paths.ts';
import { namesSecret } from './secrets.ts';

/** What a command reads as its input. `text` is known; `file` is in the worktree or elsewhere; `runtime` may be anything. */
export type Input = { kind: 'none' | 'file' | 'runtime' } | { kind: 'text'; text: string };

/** Reads what a command runs in its turn. */
export interface Inner {
  /** A line for a shell, in a shell of its own; `null` where its text is only known at run time. */
  shell(text: string | null, call: Call): void;
  /** Words that are a command. */
  command(words: readonly Word[], call: Call): void;
}

const PHRASES: Record<EffectClass, string> = {
  file_write: 'writes files',
  file_delete: 'deletes files',
  write_outside_worktree: 'writes or deletes outside the worktree',
  git_commit: 'changes commits, branches or tags',
  git_push: 'pushes to a remote',
  pr_create: 'creates a pull request',
  pr_publish: 'publishes on a pull request',
  provider_sync_write: 'changes something at a provider',
  package_install: 'installs packages',
  process_launch: 'starts or controls a process',
  workspace_mutation: 'changes the workspace',
  enclosure_control: 'drives a machine or a sandbox',
  network_egress: 'reaches the network',
  secret_access: 'may read secrets',
};

export interface CallFacts {
  /** The word that names the program. */
  program: Word;
  args: readonly Word[];
  shown: string;
  places: Places;
  /** Where the shell may be when it runs later what it is told now, as with `trap`. */
  later: Places;
  roots: Roots;
  input: Input;
  /** A line that it runs is for a shell that may not be bash. */
  posix: boolean;
  findings: Findings;
  inner: Inner;
}

/** One command that would run, and the means to say what it does. */
export class Call {
  constructor(readonly facts: CallFacts) {}

  /** The program without its folder. */
  get name(): string {
    return this.facts.program.text.replace(/^.*\//, '');
  }

  get args(): readonly Word[] {
    return this.facts.args;
  }

  add(...effects: EffectClass[]): void {
    for (const effect of effects) this.facts.findings.add([effect], this.because(PHRASES[effect]));
  }

  anything(why: string): void {
    this.facts.findings.addEverything(this.because(`${why}, so it may do anything`));
  }

  write(word: Word): void {
    this.touch(word, 'file_write');
  }

  remove(word: Word): void {
    this.touch(word, 'file_delete');
  }

  /** `shows`: its contents may go to the output or further, so a path that is not known may be a secret one. */
  look(word: Word, shows: boolean): void {
    if (namesSecret(word) || (shows && word.kind === 'runtime' && !word.pipe)) this.add('secret_access');
    if (/^\/dev\/(tcp|udp)\//.test(certainStart(word))) this.add('network_egress');
  }

  shell(word: Word): void {
    this.facts.inner.shell(literalText(word), this);
  }

  shellText(text: string | null): void {
    this.facts.inner.shell(text, this);
  }

  command(words: readonly Word[]): void {
    this.facts.inner.command(words, this);
  }

  /** Whether it runs in the worktree for certain. */
  get isInside(): boolean {
    return isInside(this.facts.places, this.facts.roots);
  }

  /** The same command with other facts, such as where it runs. */
  with(facts: Partial<CallFacts>): Call {
    return new Call({ ...this.facts, ...facts });
  }

  private touch(word: Word, effect: EffectClass): void {
    // What is written into a pipe goes to a command that is read by itself.
    if (word.pipe) return;
    const target = targetOf(word, this.facts.places, this.facts.roots);
    if (target === 'nothing') return;
    if (target === 'network') {
      this.add('network_egress');
      return;
    }
    this.add(effect);
    if (target === 'outside') this.add('write_outside_worktree');
    // Hooks and settings of a repository run commands; its references are its branches.
    if (target === 'repository') this.add('git_commit', 'process_launch');
  }

  private because(phrase: string): string {
    return `\`${shownText(this.facts.shown)}\` ${phrase}.`;
  }
}
