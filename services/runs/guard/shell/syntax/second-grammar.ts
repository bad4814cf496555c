import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import type { ShellText } from './shell-syntax.ts';
import { Unreadable } from './unreadable.ts';

/** How often the parser may look around, a hundred steps each, before it is stopped. */
const MAX_PROGRESS = 2_000;

export interface SecondGrammar {
  /** Throws Unreadable unless this grammar reads `source` too and sees no command where `text` has none. */
  agree(source: string, text: ShellText): void;
}

/** Loads tree-sitter's grammar of bash, which reads a text in a way of its own. */
export async function loadSecondGrammar(): Promise<SecondGrammar> {
  await Parser.init();
  const path = fileURLToPath(import.meta.resolve('tree-sitter-bash/tree-sitter-bash.wasm'));
  const parser = new Parser();
  parser.setLanguage(await Language.load(path));
  return { agree: (source, text) => demandAgreement(parser, source, text) };
}

function demandAgreement(parser: Parser, source: string, { starts, copied }: ShellText): void {
  for (const at of commandStarts(parser, source)) {
    if (starts.has(at) || copied.some(([from, to]) => at >= from && at < to)) continue;
    throw new Unreadable('It is not certain where the commands of the line begin.');
  }
}

function commandStarts(parser: Parser, source: string): number[] {
  let progress = 0;
  parser.reset();
  const tree = parser.parse(source, null, { progressCallback: () => ++progress > MAX_PROGRESS });
  if (!tree) throw new Unreadable('The line takes too much work to read.');
  try {
    if (tree.rootNode.hasError) throw new Unreadable('The line does not parse.');
    return tree.rootNode.descendantsOfType('command_name').map((node) => node.startIndex);
  } finally {
    tree.delete();
  }
}
