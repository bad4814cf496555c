import { ARCHIVES } from './archives.ts';
import { BUILDS } from './builds.ts';
import { PLAIN_BUILTINS } from './builtins-plain.ts';
import { RUNNING_BUILTINS } from './builtins-running.ts';
import { VARIABLE_BUILTINS } from './builtins-variables.ts';
import { CONTROL_CENTER } from './control-center.ts';
import { ECOSYSTEMS } from './ecosystems.ts';
import { ENCLOSURES } from './enclosures.ts';
import { FILES } from './files.ts';
import { GIT } from './git/git.ts';
import { INTERPRETERS } from './interpreters.ts';
import { NETWORK } from './network.ts';
import { NETWORK_TOOLS } from './network-tools.ts';
import { PACKAGES } from './packages.ts';
import { NODE_PACKAGES } from './packages-node.ts';
import type { Program } from './program.ts';
import { PROVIDERS } from './providers.ts';
import { LOOKERS, READERS } from './readers.ts';
import { SECRET_TOOLS } from './secrets-tools.ts';
import { CLOUDS, DATABASES, PROCESSES } from './services.ts';
import { SHELLS } from './shells.ts';
import { TEXT_TOOLS } from './text-tools.ts';
import { WALKERS } from './walkers.ts';
import { WRAPPERS } from './wrappers.ts';

/** What is known of programs. One that is in no table starts a process that the sandbox holds. */
export const PROGRAMS: readonly Program[] = [
  ...[...PLAIN_BUILTINS, ...VARIABLE_BUILTINS, ...RUNNING_BUILTINS],
  ...[...SHELLS, ...WRAPPERS, ...WALKERS, ...INTERPRETERS, ...TEXT_TOOLS],
  ...[...FILES, ...ARCHIVES, ...READERS, ...LOOKERS],
  ...[
    ...GIT,
    ...PROVIDERS,
    ...NETWORK,
    ...PACKAGES,
    ...NODE_PACKAGES,
    ...ECOSYSTEMS,
    ...BUILDS,
    ...NETWORK_TOOLS,
  ],
  ...[...ENCLOSURES, ...PROCESSES, ...DATABASES, ...CLOUDS, ...SECRET_TOOLS, ...CONTROL_CENTER],
];
