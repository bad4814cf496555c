/** What a word is made of, before anything is expanded. */
export type Part =
  | { kind: 'text'; text: string; quoted: boolean }
  /** `$name` or `${name}` and nothing more. */
  | { kind: 'variable'; name: string; quoted: boolean }
  /** Any other `${…}`; `operator` is what follows the name. */
  | { kind: 'expansion'; name: string; operator: string; inner: Part[]; quoted: boolean }
  /** `$(…)` or backquotes. */
  | { kind: 'substitution'; body: Statement; quoted: boolean }
  /** `<(…)` or `>(…)`. */
  | { kind: 'process'; body: Statement }
  | { kind: 'arithmetic'; inner: Part[]; quoted: boolean }
  /** `(…)` behind `name=`. */
  | { kind: 'array'; words: ShellWord[] };

export interface ShellWord {
  parts: Part[];
  /** As it stands in the line. */
  shown: string;
}

export interface Redirect {
  operator: string;
  /** As written in front of the operator; empty where it goes without saying. */
  descriptor: string;
  target: ShellWord;
  /** What a here-document holds; null for every other redirection. */
  body: ShellWord | null;
}

export type Statement =
  | { kind: 'simple'; words: ShellWord[]; redirects: Redirect[] }
  | { kind: 'sequence'; statements: Statement[] }
  | { kind: 'background'; body: Statement }
  /** `! …`: it fails where its body succeeds. */
  | { kind: 'not'; body: Statement }
  | { kind: 'chain'; operator: '&&' | '||'; left: Statement; right: Statement }
  | { kind: 'pipeline'; parts: Statement[] }
  | { kind: 'subshell'; body: Statement }
  | { kind: 'if'; condition: Statement; then: Statement; otherwise: Statement }
  | { kind: 'while'; condition: Statement; body: Statement }
  /** `words` is null where the loop goes over the positional parameters. */
  | { kind: 'for'; name: string; words: ShellWord[] | null; body: Statement }
  | { kind: 'case'; words: ShellWord[]; bodies: Statement[] }
  /** `[[ … ]]`. */
  | { kind: 'condition'; words: ShellWord[] }
  | { kind: 'arithmetic'; inner: Part[] }
  | { kind: 'function'; name: string; body: Statement }
  | { kind: 'redirected'; body: Statement; redirects: Redirect[] };

export const NOTHING: Statement = { kind: 'sequence', statements: [] };
