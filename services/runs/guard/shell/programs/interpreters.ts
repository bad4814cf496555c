import { type Arguments, has } from '../reading/arguments.ts';
import type { Call } from '../reading/call.ts';
import { readCode } from '../reading/code.ts';
import { literal, literalText } from '../words/word.ts';
import { runFile } from './builtins-running.ts';
import type { Program } from './program.ts';

/** A language: code behind `options`, else a script, else code in its input. */
const language = (names: string, options: string): Program => ({
  ...{ names, does: 'process_launch', options, operands: 'text', stops: true },
  read: readScript,
});

export const INTERPRETERS: readonly Program[] = [
  {
    ...language('python python2 python3 pypy pypy3', 'c:code m:text W:text X:text Q:text'),
    read: readPython,
  },
  {
    ...language(
      'perl',
      'e:code E:code i?:text n p a l 0 1 2 3 4 5 6 7 F:text M?:code m?:code I:text x?:text C?:text d?:text D?:text',
    ),
    read: readInPlace,
  },
  {
    ...language(
      'ruby',
      'e:code r:launch I:text n p a l i?:text 0 1 2 3 4 5 6 7 F?:text C:text x?:text K?:text E:text',
    ),
    read: readInPlace,
  },
  {
    ...language(
      'node nodejs',
      'e|eval:code p|print r|require:launch import:launch loader:launch experimental-loader:launch C|conditions:text input-type:text env-file?:read title:text test watch-path:text max-old-space-size:text',
    ),
    read: readNode,
  },
  language(
    'php',
    'r|run:code B|process-begin:code R|process-code:code E|process-end:code F:launch f|file:launch z:launch d:text S!network_egress t:text c:launch',
  ),
  language('lua luajit', 'e:code l:launch'),
  language('tclsh wish expect', 'c:code f:launch'),
  language('Rscript R', 'e:code f|file:launch'),
  language('julia', 'e|eval:code E|print:code L|load:launch'),
  language('elixir iex erl escript', 'e|eval:code r:launch S:text rpc-eval:code'),
  language('runghc runhaskell ghc ghci', 'e:code'),
  language('scala groovy kotlin swift jshell', 'e|execute:code'),
  language('racket guile sbcl clojure clj bb janet', 'e|eval|c:code load:launch l:launch'),
  language('octave gnuplot maxima gp', 'e|eval:code'),
  language('osascript', 'e:code l:text'),
  language('nu elvish xonsh', 'c|commands:code e|execute:code'),
  language('m4', 'D:text U:text I:text'),
  language('dc', 'e|expression:code f|file:launch'),
  {
    names: 'deno',
    options: 'A c|config:launch',
    commands: {
      eval: { does: 'process_launch', operands: 'code', stops: true },
      'run test bench task serve compile': { does: 'process_launch', operands: 'launch text', stops: true },
      'install add remove uninstall upgrade cache': 'package_install network_egress',
      x: { does: 'package_install process_launch network_egress', operands: 'command', stops: true },
      publish: 'provider_sync_write network_egress',
      deploy: 'provider_sync_write network_egress process_launch',
      fmt: 'file_write',
      'check lint info doc types completions help': '',
      repl: 'process_launch',
    },
    bare: 'process_launch',
    otherwise: 'process_launch',
  },
  { names: 'pwsh powershell cmd', does: 'process_launch', operands: 'text', read: readWindows },
];

/** A script, or code in the input where there is neither a script nor code behind an option. */
function readScript(call: Call, given: Arguments): void {
  const [script] = given.operands;
  const hasCode = given.options.some(({ option }) => option?.role === 'code');
  if (script && !/^(-|\/dev\/stdin)$/.test(literalText(script) ?? '')) {
    // What cannot be the name of a script is code behind an option that was taken for something else.
    if (/[\s;(){}'"]/.test(script.text)) readCode(call, literalText(script));
    if (!hasCode) runFile(call.with({ input: { kind: 'none' } }), script);
    return;
  }
  if (!hasCode) readInput(call);
}

export function readInput(call: Call): void {
  const { input } = call.facts;
  if (input.kind === 'text') readCode(call, input.text);
  if (input.kind === 'runtime') call.anything('runs what a pipe holds');
}

/** `-m` runs a module with all that follows. */
function readPython(call: Call, given: Arguments): void {
  const at = call.args.findIndex(({ text }) => /^-[A-Za-z]*m/.test(text));
  const isModule = given.options.some(({ name }) => name === 'm') && at >= 0;
  if (!isModule) {
    readScript(call, given);
    return;
  }
  const [, attached = ''] = /^-[A-Za-z]*?m(.*)$/.exec(call.args[at]!.text) ?? [];
  const rest = call.args.slice(at + 1);
  const words = attached === '' ? rest : [literal(attached), ...rest];
  const name = literalText(words[0]) ?? '';
  if (/^(http\.server|smtpd|ftplib|telnetlib|webbrowser)/.test(name)) call.add('network_egress');
  if (/^(venv|virtualenv)$/.test(name)) for (const folder of words.slice(1)) call.write(folder);
  if (name === 'ensurepip') call.add('package_install', 'network_egress');
  call.command(words);
}

/** `-i` writes the files that it reads. */
function readInPlace(call: Call, given: Arguments): void {
  const hasCode = has(given, 'e', 'E');
  if (!hasCode) readScript(call, given);
  for (const file of hasCode ? given.operands : []) {
    if (has(given, 'i')) call.write(file);
    else call.look(file, true);
  }
}

/** With `-p` and no code of its own, the first operand is code. */
function readNode(call: Call, given: Arguments): void {
  if (!has(given, 'p') || has(given, 'e')) {
    readScript(call, given);
    return;
  }
  const [code] = given.operands;
  if (code) readCode(call, literalText(code));
}

function readWindows(call: Call): void {
  const texts = call.args.map(literalText);
  if (texts.includes(null) || texts.some((text) => /^-e(nc|c$|n$)/i.test(text ?? ''))) {
    call.anything('runs text that cannot be read');
    return;
  }
  readCode(call, texts.join(' '));
  readInput(call);
}
