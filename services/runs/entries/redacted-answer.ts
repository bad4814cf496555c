import type { AnswerEntry, AssistantBlock } from '../harness/journal.ts';
import { redact } from '../tools/output.ts';
import { redactedJson } from '../tools/redacted-json.ts';

/**
 * A model's answer without the secrets in it, before anything is made of it: neither what is kept and sent to the model
 * again nor what its calls do, post and ask can hold one then.
 */
export function redactedAnswer(answer: AnswerEntry, secrets: readonly string[]): AnswerEntry {
  return { ...answer, content: answer.content.flatMap((block) => redactedBlock(block, secrets)) };
}

function redactedBlock(block: AssistantBlock, secrets: readonly string[]): AssistantBlock[] {
  switch (block.type) {
    case 'text':
      return [{ ...block, text: redact(block.text, secrets) }];
    case 'thinking':
      // It is signed as it stands, so that it can only be kept whole.
      return redact(block.thinking, secrets) === block.thinking ? [block] : [];
    case 'redacted_thinking':
      return [block];
    case 'tool_use': {
      const { name, input } = block;
      return [{ ...block, name: redact(name, secrets), input: redactedJson(input, secrets) }];
    }
  }
}
