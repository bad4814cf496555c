import type { Call } from '../reading/call.ts';
import { literal, literalText } from '../words/word.ts';
import type { Program } from './program.ts';

const BUILD = 'process_launch';

/** Programs that build, by files of the project. */
export const BUILDS: readonly Program[] = [
  {
    names: 'mvn mvnw gradle gradlew sbt ant bazel buck pants',
    does: BUILD,
    operands: 'text',
    read: (call) => {
      if (call.args.some(({ kind, text }) => kind !== 'literal' || /deploy|publish|release/.test(text)))
        call.add('provider_sync_write', 'network_egress');
    },
  },
  { names: 'cmake', does: BUILD, operands: 'text', read: readCmake },
  {
    names: 'make gmake ninja just task rake ctest meson scons invoke tox nox',
    does: BUILD,
    options: 'f|file|makefile:text C|directory:text eval:code',
    operands: 'text',
    read: (call) => {
      if (call.args.some(({ text }, i) => text === '-' && i > 0) && call.facts.input.kind !== 'none')
        call.anything('takes what to do from a pipe');
    },
  },
];

/** `-E` makes it a shell of its own, with commands named like those of others. */
function readCmake(call: Call): void {
  const at = call.args.findIndex((word) => literalText(word) === '-E');
  const [first, ...rest] = at < 0 ? [] : call.args.slice(at + 1);
  const name = literalText(first) ?? '';
  if (first && name === '') call.anything('names its command only at run time');
  if (/^(rm|remove|remove_directory)$/.test(name)) call.command([literal('rm'), ...rest]);
  else if (/^(env|time|chdir)$/.test(name))
    call.command([literal('env'), ...rest.slice(name === 'chdir' ? 1 : 0)]);
  else if (!/^(echo|capabilities|cat|compare_files|.*sum|true|false|sleep)$/.test(name))
    for (const word of rest) call.write(word);
}
