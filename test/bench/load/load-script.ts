import type { ModelScript } from '../../model/script.ts';

/** Tool turns of one run. */
export const TURNS = 10;

/** Every run looks for tickets again and again, and the model takes `delayMs` before it says so. */
export function loadScript(delayMs: number): ModelScript {
  const look = (i: number) => ({
    tools: [{ name: 'list_tickets', input: { parentId: `tkt_${i}` } }],
    delayMs,
  });
  const turns = [...Array.from({ length: TURNS }, (_, i) => look(i)), { text: 'Done.', delayMs }];
  return { name: 'load', dialogues: [{ name: 'load', when: { user: 'TOOLS' }, turns }] };
}
