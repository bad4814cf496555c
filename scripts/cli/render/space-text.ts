import type { GuardrailRule } from '../../../core-wasm/core.ts';
import type { Space } from '../../../services/spaces/spaces/schema.ts';
import { plainLine } from '../plain-text.ts';
import { ruleText } from './rules-table.ts';
import { table } from './table.ts';

export function spacesTable(spaces: readonly (Space & { workspace: string })[]): string {
  const titles = ['ID', 'NAME', 'MODE', 'AUTONOMY', 'WHEN NOBODY', 'WORKSPACE'];
  const rows = spaces.map((one) => [
    one.id,
    plainLine(one.name, 40),
    one.mode,
    one.autonomy,
    one.whenNobody,
    plainLine(one.workspace, 20),
  ]);
  return table(
    titles.map((title) => ({ title })),
    rows,
    'No spaces yet.',
  );
}

const AUTONOMY_TEXT: Record<Space['autonomy'], string> = {
  proposeOnly: 'its agents reason and reply; writing and running are refused',
  actWithApproval: 'its agents act, and ask where a rule says so',
  actFreely: 'its agents act without being asked, but for what is denied',
};

/** One space: what its agents may do, and the rules that hold for calls in it. */
export function spaceText(space: Space, rules: readonly GuardrailRule[]): string {
  const nobody = space.whenNobody === 'refuse' ? 'an action that has to be asked is refused' : 'it waits';
  const facts = [
    ['Space', `${plainLine(space.name, 80)} (${space.id})`],
    ['Mode', space.mode],
    ['Autonomy', `${space.autonomy}: ${AUTONOMY_TEXT[space.autonomy]}`],
    ['When nobody is there', `${space.whenNobody}: ${nobody}`],
    [
      'Repositories',
      space.repositories.map(({ name, path }) => plainLine(`${name} ${path}`, 120)).join(', ') || 'none',
    ],
    ['Rules', rules.length === 0 ? 'none: the defaults hold' : ''],
  ];
  const width = Math.max(...facts.map(([name = '']) => name.length));
  return [
    ...facts.map(([name = '', value]) => `${name.padEnd(width)}  ${value}`.trimEnd()),
    ...rules.map((rule) => `  ${ruleText(rule)} (${rule.id})`),
  ].join('\n');
}
