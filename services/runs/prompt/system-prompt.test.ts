import { describe, expect, test } from 'bun:test';
import { capabilityProfile, MODES, toolSurface } from '../../../core-wasm/core.ts';
import type { AgentFacts, ConversationFacts } from '../peers/spaces-port.ts';
import { EVERY_TOOL } from '../tools/every-tool.ts';
import { withAttachments } from './attachment-lines.ts';
import { conversationPrompt } from './conversation-prompt.ts';
import { systemPrompt } from './system-prompt.ts';

const agent: AgentFacts = {
  ...{ id: 'agt_1', name: 'qa', title: 'Tester', persona: 'PERSONA', systemPrompt: 'INSTRUCTIONS' },
  ...{
    skills: ['SKILL-A'],
    modelId: null,
    effort: null,
    contextSize: null,
    silenceTimeoutMinutes: null,
    maxTurns: null,
  },
};
const conversation: ConversationFacts = {
  ...{ id: 'cnv_1', title: 'TITLE', kind: 'main' },
  space: { id: 'spc_1', name: 'SPACE', mode: 'chat', repositories: [], agents: [] },
};
const withoutReview = EVERY_TOOL.filter(({ name }) => name !== 'read_review');
const conflicts = [{ branch: 'other', files: ['a.ts'] }];
const worktrees = [{ repository: 'app', branch: 'control-center/cnv_1', conflicts }];

describe('the system prompt', () => {
  for (const mode of MODES) {
    for (const isSubagent of [false, true]) {
      test(`of ${mode} mode names no tool outside the surface, ${isSubagent ? 'of a sub-agent' : 'of a root'}`, () => {
        const profile = capabilityProfile(mode);
        const surface = toolSurface(profile, EVERY_TOOL);
        const tools = EVERY_TOOL.filter(({ name }) => surface.includes(name));
        const exitVerb = isSubagent ? null : profile.exitVerb;
        const facts = { profile, tools, exitVerb, isSubagent, agent, conversation, worktrees };
        const text = systemPrompt({ ...facts, repositoryGuide: null })
          .map((piece) => piece.text)
          .join('\n');
        const named = EVERY_TOOL.map(({ name }) => name).filter((name) =>
          new RegExp(`\\b${name}\\b`).test(text),
        );
        expect(named.toSorted()).toEqual(surface.toSorted());
        expect(text).toContain(`Mode: ${profile.label}`);
        expect(text.includes('has delivered nothing')).toBe(exitVerb !== null);
        expect(text.includes('You are a sub-agent')).toBe(isSubagent);
      });
    }
  }

  test('holds nothing that the author of a pull request wrote', () => {
    const text = systemPrompt({
      ...{ profile: capabilityProfile('review'), tools: EVERY_TOOL, agent, conversation, worktrees },
      ...{ exitVerb: null, isSubagent: false, repositoryGuide: null },
    }).map((piece) => piece.text);
    expect(text.join()).toContain('opened for a pull request');
    for (const named of ['SPACE', 'TITLE']) expect(text.join()).not.toContain(named);
  });

  test('is in the order of how seldom its parts change', () => {
    const pieces = systemPrompt({
      ...{ profile: capabilityProfile('chat'), tools: withoutReview, agent, conversation, worktrees },
      ...{ exitVerb: null, isSubagent: false },
      repositoryGuide: `GUIDE ${'x'.repeat(20_000)}`,
    });
    const text = pieces.map((piece) => piece.text).join('\n');
    const places = ['Mode: Agent', 'SPACE', 'PERSONA', 'INSTRUCTIONS', 'SKILL-A', 'GUIDE'].map((part) =>
      text.indexOf(part),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(text).toContain('conflicts in a.ts');
    expect(text).toContain('[cut: 20006 characters in all]');
    expect(pieces.every((piece) => piece.cache)).toBe(true);
  });
});

test('the conversation is quoted with its authors, without the message that asks, and bounded', () => {
  const message = (id: string, body: string) => {
    return {
      id,
      author: 'person:mem_1' as const,
      kind: 'text',
      body,
      data: {},
      attachments: [],
      createdAt: 0,
    };
  };
  const messages = [...Array(50).keys()].map((i) => message(`m${i}`, `line\nbody-${i}-${'x'.repeat(5_000)}`));
  const prompt = conversationPrompt({
    messages: [...messages, message('ask', 'PROMPT')],
    ...{ triggerId: 'ask', from: 'person:mem_1', prompt: 'PROMPT', nameOf: () => 'Ada' },
  });
  expect(prompt.split('PROMPT').length).toBe(2);
  expect(prompt).toContain('Ada:\n> line\n> body-49-');
  expect(prompt).toContain('Ada asks you now:\n\nPROMPT');
  expect(prompt).not.toContain('body-30-');
  expect(prompt.length).toBeLessThan(62_000);
});

test('attachments stand with their message, whatever it says, and are never cut off', () => {
  const file = { id: 'att_1', name: 'a "b".png', mediaType: 'image/png', size: 70 };
  const said = (id: string, body: string, attachments = [file]) => {
    return { id, author: 'person:mem_1' as const, kind: 'text', body, data: {}, attachments, createdAt: 0 };
  };
  const line = 'Attachment: "a \\"b\\".png" (image/png, 70 bytes), read it with read_attachment att_1';
  const asked = { triggerId: null, from: null, prompt: 'PROMPT', nameOf: () => 'Ada' };
  const prompt = (body: string) => conversationPrompt({ ...asked, messages: [said('m', body)] });
  expect(prompt('Look:')).toContain(`Ada:\n> Look:\n${line}\n`);
  expect(prompt('')).toContain(`Ada:\n${line}\n`);
  expect(prompt('x'.repeat(5_000))).toContain(`\n> [cut]\n${line}\n`);
  expect(withAttachments('Look:', [file, file])).toBe(`Look:\n\n${line}\n${line}`);
  expect([withAttachments('', [file]), withAttachments('Words.', [])]).toEqual([line, 'Words.']);
});
