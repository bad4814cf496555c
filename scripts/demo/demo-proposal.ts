/** The plan that the scripted CEO proposes: an existing engineer, a new hire, an existing tester. */
export const DEMO_PROPOSAL = {
  goal: 'Fix the invoice total and add a CSV export, verified together.',
  roles: [
    { key: 'engineer', title: 'Engineer', agent: { existing: 'engineer' } },
    {
      key: 'exporter',
      title: 'Export engineer',
      agent: {
        hire: {
          name: 'export-engineer',
          persona: 'Careful with file formats; reads the tests first.',
          skills: [],
        },
      },
    },
    { key: 'tester', title: 'Tester', agent: { existing: 'qa' } },
    { key: 'lead', title: 'Lead', agent: { existing: 'ceo' } },
  ],
  research: { role: 'engineer', brief: 'Find out why the total is wrong and what the CSV export must do.' },
  discussion: {
    question: 'How should the fix and the export be cut so that they do not get in each other’s way?',
  },
  tickets: [
    {
      key: 'fix-total',
      title: 'Fix the invoice total',
      description: 'totalCents ignores the quantity. invoice.test.ts must pass.',
      role: 'engineer',
      needs: [],
      references: [{ kind: 'symbol', value: 'totalCents' }],
    },
    {
      key: 'add-csv',
      title: 'Add a CSV export',
      description: 'Add csv.ts with toCsv(lines). csv.test.ts must pass.',
      role: 'exporter',
      needs: [],
      references: [{ kind: 'file', value: 'csv.ts' }],
    },
    {
      key: 'verify',
      title: 'Verify both together',
      description: 'Run all tests on both changes and note them in CHANGELOG.md.',
      role: 'tester',
      needs: ['fix-total', 'add-csv'],
      references: [{ kind: 'file', value: 'CHANGELOG.md' }],
    },
  ],
  synthesis: { role: 'lead', brief: 'Say what changed, for someone who reads nothing else.' },
  budgetMicros: 2_000_000,
};

export const DEMO_GOAL =
  'The invoice total is wrong when a line has a quantity, and we need a CSV export. Fix the one, add the other, and verify them together.';
