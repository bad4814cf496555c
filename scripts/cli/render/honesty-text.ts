import type { Honesty } from '../../../services/runs/honesty/honesty.ts';
import type { Paint } from '../paint.ts';
import { plainText } from '../plain-text.ts';
import { table } from './table.ts';

type Question = keyof Honesty['questions'];

/** The matrix as a table, and under it what makes each answer so. */
export function honestyText({ questions, host, adapters }: Honesty, paint: Paint): string {
  const asked = Object.keys(questions) as Question[];
  const columns = ['QUESTION', ...adapters.map(({ adapter }) => adapter)].map((title) => ({ title }));
  const rows = asked.map((question) => [
    questions[question],
    ...adapters.map(({ facts }) => facts[question].holds),
  ]);
  const { backend, reason } = host.sandbox;
  return [
    table(columns, rows, 'There is nothing to say.'),
    '',
    plainText(`On ${host.platform}, sandbox: ${backend ?? `none (${reason ?? 'no reason is known'})`}.`),
    ...adapters.flatMap((adapter) => ['', ...adapterLines(adapter, asked, paint)]),
  ].join('\n');
}

function adapterLines(
  { adapter, available, reason, facts }: Honesty['adapters'][number],
  asked: readonly Question[],
  paint: Paint,
): string[] {
  return [
    available
      ? paint.bold(adapter)
      : `${paint.bold(adapter)}  ${paint.dim(plainText(reason ?? 'not available'))}`,
    ...asked.map((question) => `  ${facts[question].holds.padEnd(6)}  ${plainText(facts[question].how)}`),
  ];
}
