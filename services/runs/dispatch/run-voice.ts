import type { HarnessEvents } from '../harness/job.ts';
import type { RunJournal } from '../harness/journal.ts';
import { redact } from '../tools/output.ts';
import type { LiveItem, LiveStreams, Said } from './live-streams.ts';
import { RedactedTail } from './redacted-tail.ts';

export interface VoiceOptions {
  streams: LiveStreams;
  runId: string;
  /** None of these is said. */
  secrets: readonly string[];
  /** Called whenever the loop is heard of. */
  onHeard: () => void;
}

/**
 * What one loop says while it is at work: told as it is said, without secrets, and kept until the answer is, so that whoever
 * comes in the middle has it from its beginning.
 */
export class RunVoice {
  readonly #tail: RedactedTail;
  readonly #end: () => void;
  #type: 'text' | 'thinking' = 'thinking';
  #isOver = false;
  #said: Said;

  /** @param answered answers of the run that are kept */
  constructor(
    private readonly options: VoiceOptions,
    answered: number,
  ) {
    this.#tail = new RedactedTail(options.secrets);
    this.#said = { answered, thinking: '', text: '' };
    this.#end = options.streams.hear(options.runId, this);
  }

  get said(): Said {
    return { ...this.#said };
  }

  /** Nothing of it is kept or told any more. */
  end(): void {
    this.#isOver = true;
    this.#end();
  }

  readonly events: HarnessEvents = {
    delta: ({ type, text }) => {
      if (type !== this.#type) this.#say(this.#tail.flush());
      this.#type = type;
      this.#say(this.#tail.take(text));
    },
    toolStarted: ({ callId, name }) => this.#tell({ type: 'toolStarted', callId, name }),
    toolFinished: ({ callId, name, isError, durationMs }) =>
      this.#tell({ type: 'toolFinished', callId, name, isError, durationMs }),
    retrying: (retry) => {
      this.#begin(this.#said.answered);
      const message = redact(retry.message, this.options.secrets);
      this.#tell({ type: 'retrying', ...retry, message });
    },
  };

  /** The same journal, whose answers are told once they are kept. */
  over(journal: RunJournal): RunJournal {
    const told = async (commit: Promise<void>) => {
      await commit;
      this.#answered(await answersIn(journal));
    };
    return {
      ...journal,
      answer: (entry) => told(journal.answer(entry)),
      compact: (entry) => told(journal.compact(entry)),
    };
  }

  #answered(answered: number): void {
    this.#say(this.#tail.flush());
    this.#begin(answered);
    this.#tell({ type: 'answered', answered });
  }

  #begin(answered: number): void {
    this.#tail.drop();
    this.#said = { answered, thinking: '', text: '' };
  }

  #say(text: string): void {
    this.options.onHeard();
    if (text === '') return;
    this.#said[this.#type] += text;
    this.#tell({ type: this.#type, text });
  }

  #tell(item: LiveItem): void {
    this.options.onHeard();
    if (!this.#isOver) this.options.streams.publish(this.options.runId, item);
  }
}

export async function answersIn(journal: RunJournal): Promise<number> {
  return (await journal.load()).filter(({ kind }) => kind === 'answer').length;
}
