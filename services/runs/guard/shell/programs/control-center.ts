import type { Program } from './program.ts';

const READS = 'network_egress';

/** Control Center's own command line: what only reads reaches the server, all else changes the workspace. */
export const CONTROL_CENTER: readonly Program[] = [
  {
    names: 'cctl',
    options: 'workspace:text url:text token:text json',
    commands: {
      'runs inbox follow orchestrations models doctor help': READS,
      guardrails: {
        commands: { explain: { does: READS, operands: 'text' } },
        otherwise: 'workspace_mutation network_egress',
        bare: READS,
      },
    },
    bare: '',
    otherwise: 'workspace_mutation network_egress',
  },
];
