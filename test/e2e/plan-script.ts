import type { ScriptedTurn } from '../model/script.ts';
import { onWord, scriptOf, toolCall } from './world.ts';

export const PLAN = {
  goal: 'Say how to pay',
  nodes: [
    { key: 'note', title: 'Write the note', description: 'A file PAYING.md', needs: [] },
    { key: 'link', title: 'Link the note', description: 'From the README', needs: ['note'] },
  ],
};
export const DELIVERED = { deliverable: '# Paying\n\nPAYING.md says it, the README links it.', gaps: [] };

/** Steps are told apart by the title that heads their prompt. */
const step = (title: string, ...turns: ScriptedTurn[]) => onWord(`# ${title}\n`, ...turns);

/** An agent that makes a plan when it is told to, does its steps when they come, and works on when asked. */
export const PLAN_SCRIPT = scriptOf(
  step(
    'Write the note',
    { tools: [toolCall('write_file', { path: 'PAYING.md', content: 'By transfer.\n' })] },
    { tools: [toolCall('git_commit', { message: 'Say how to pay' })] },
    { text: 'PAYING.md is written.' },
  ),
  step(
    'Link the note',
    { tools: [toolCall('read_file', { path: 'PAYING.md' })] },
    { tools: [toolCall('write_file', { path: 'README.md', content: 'See PAYING.md.\n' })] },
    { text: 'The README links it.' },
  ),
  step('Synthesis', { text: `\`\`\`json\n${JSON.stringify(DELIVERED)}\n\`\`\`` }),
  onWord('go on', { tools: [toolCall('write_file', { path: 'late.txt', content: 'x' })] }, { text: 'Done.' }),
  onWord('make a plan', { tools: [toolCall('submit_plan', PLAN)] }, { text: 'Planned.' }),
);
