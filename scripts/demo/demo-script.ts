import type { ModelScript, ScriptedDialogue, ScriptedTurn } from '../../test/model/script.ts';
import { DEMO_PROPOSAL } from './demo-proposal.ts';

const call = (name: string, input: unknown) => ({ name, input });
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const FIXED_SUM = '(total, line) => total + line.quantity * line.priceCents';
const BROKEN_SUM = '(total, line) => total + line.priceCents';
const CSV_SOURCE = `import type { Line } from './invoice.ts';

/** The lines as CSV, quoted as RFC 4180 asks. */
export function toCsv(lines: Line[]): string {
  const rows = lines.map((line) => [line.name, line.quantity, line.priceCents].map(field).join(','));
  return ['name,quantity,priceCents', ...rows].map((row) => \`\${row}\\n\`).join('');
}

function field(value: string | number): string {
  const text = String(value);
  return /[",\\n]/.test(text) ? \`"\${text.replaceAll('"', '""')}"\` : text;
}
`;

const propose: ScriptedDialogue = {
  name: 'ceo proposes a plan',
  when: { user: /CSV export/, tool: 'propose_orchestration', system: /Orchestrate/ },
  turns: [
    {
      text: 'I will look at the repository before I plan.',
      tools: [call('list_files', {}), call('read_file', { path: 'invoice.ts' }), call('list_agents', {})],
    },
    { tools: [call('search_files', { pattern: 'toCsv' })] },
    {
      text: 'The plan for the team follows.',
      tools: [call('propose_orchestration', DEMO_PROPOSAL)],
    },
    {
      text: 'I have proposed a plan: one fix, one new module, one verification. It waits for your approval.',
    },
  ],
};

const research: ScriptedDialogue = step('Research', [
  { tools: [call('read_file', { path: 'invoice.ts' }), call('search_files', { pattern: 'quantity' })] },
  {
    text: '`totalCents` in invoice.ts sums `priceCents` and never multiplies by `quantity`. csv.test.ts imports `./csv.ts`, which does not exist. CSV quoting should follow RFC 4180.',
  },
]);

const position: ScriptedDialogue = step('Position of', [
  {
    text: json({
      position:
        'Keep the fix to one expression, put the export in a module of its own, and verify both together.',
      risks: ['Rounding must stay on the sum, not on each line.'],
      suggestions: ['Quote only fields that need it.'],
    }),
  },
]);

const fixTotal: ScriptedDialogue = step('Fix the invoice total', [
  { tools: [call('read_file', { path: 'invoice.ts' })] },
  { tools: [call('edit_file', { path: 'invoice.ts', oldText: BROKEN_SUM, newText: FIXED_SUM })] },
  { tools: [call('run_command', { command: 'bun test invoice.test.ts' })] },
  { tools: [call('git_commit', { message: 'Count each line as often as its quantity says' })] },
  { text: 'The total now multiplies each price by its quantity; invoice.test.ts passes.' },
]);

const addCsv: ScriptedDialogue = step('Add a CSV export', [
  { tools: [call('read_file', { path: 'csv.test.ts' }), call('read_file', { path: 'invoice.ts' })] },
  { tools: [call('write_file', { path: 'csv.ts', content: CSV_SOURCE })] },
  { tools: [call('run_command', { command: 'bun test csv.test.ts' })] },
  {
    tools: [
      call('git_commit', { message: 'Export invoice lines as CSV' }),
      call('post_message', { body: 'csv.ts is in; `toCsv(lines)` quotes as RFC 4180 asks.' }),
    ],
  },
  { text: 'csv.ts exports `toCsv`; csv.test.ts passes.' },
]);

const verify: ScriptedDialogue = step('Verify both together', [
  { tools: [call('run_command', { command: 'bun test' })] },
  {
    tools: [
      call('edit_file', {
        path: 'CHANGELOG.md',
        oldText: '## Unreleased\n',
        newText:
          '## Unreleased\n- Totals count the quantity of each line.\n- Invoice lines can be exported as CSV.\n',
      }),
    ],
  },
  {
    tools: [
      call('git_commit', { message: 'Note the fix and the export in the changelog' }),
      call('create_ticket', {
        title: 'Add a currency column to the CSV export',
        description: 'Asked for by nobody yet; noticed while verifying.',
      }),
    ],
  },
  { text: 'All tests pass with both changes together; the changelog names them.' },
]);

const synthesis: ScriptedDialogue = step('Synthesis', [
  { tools: [call('git_log', { limit: 10 })] },
  {
    text: json({
      deliverable:
        '# Invoices: fixed total and CSV export\n\n- `totalCents` counts the quantity of each line.\n- `csv.ts` exports lines as CSV (RFC 4180 quoting).\n- The changelog names both; all tests pass together.',
      gaps: [],
    }),
  },
]);

/** Everything the scripted model says in the demo; it reads nothing but the request, so a restart loses nothing. */
export const demoScript: ModelScript = {
  name: 'demo',
  dialogues: [propose, research, position, fixTotal, addCsv, verify, synthesis],
  otherwise: { text: 'The scripted model of the demo has no answer for this request.' },
};

/** Pipeline steps are told apart by the title that heads their prompt. */
function step(title: string, turns: ScriptedTurn[]): ScriptedDialogue {
  return { name: title, when: { user: new RegExp(`^# ${title}`, 'm') }, turns };
}
