import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { capabilityProfile, isCallAllowed, MODES, toolSurface } from '../../../core-wasm/core.ts';
import { EVERY_TOOL } from '../tools/every-tool.ts';
import { judgeCall } from './guard.ts';

describe('a call', () => {
  test('passes only where both the run and the space would have it, but for what the run pins', async () => {
    const modes = fc.constantFrom(...MODES);
    await fc.assert(
      fc.asyncProperty(modes, modes, fc.constantFrom(...EVERY_TOOL), async (own, present, tool) => {
        const [mine, theirs] = [capabilityProfile(own), capabilityProfile(present)];
        const judged = await judgeCall(mine, tool, async () => present);
        const both = [mine, theirs].every((profile) => isCallAllowed(profile, tool, tool.effects).allowed);
        expect(judged.allowed).toBe(mine.pinned.includes(tool.name) || both);
      }),
    );
  });

  test('that changes the world is refused in a read-only mode, whichever of the two it is', async () => {
    const changing = EVERY_TOOL.filter(({ tier, effects }) => tier !== 'read' && effects.length > 0);
    expect(changing.map(({ name }) => name)).toEqual([
      ...['write_file', 'edit_file', 'delete_file', 'git_commit', 'run_command'],
    ]);
    for (const tool of changing) {
      for (const mode of ['plan', 'review', 'orchestrate'] as const) {
        const [own, chat] = [capabilityProfile(mode), capabilityProfile('chat')];
        expect((await judgeCall(own, tool, async () => 'chat')).allowed).toBe(false);
        expect((await judgeCall(chat, tool, async () => mode)).allowed).toBe(false);
      }
    }
  });

  test('is refused when the space cannot be asked', async () => {
    const tool = EVERY_TOOL.find(({ name }) => name === 'read_file')!;
    const judged = await judgeCall(capabilityProfile('chat'), tool, () => Promise.reject(new Error('down')));
    expect(judged).toEqual({ allowed: false, reason: "The space's present mode could not be read: down" });
  });
});

test('the exit verb of a mode is on its surface', () => {
  for (const mode of MODES) {
    const profile = capabilityProfile(mode);
    const surface = toolSurface(profile, EVERY_TOOL);
    expect(surface).toContain('ask_user');
    if (profile.exitVerb) expect(surface).toContain(profile.exitVerb);
  }
});
