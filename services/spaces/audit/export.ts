import type { AuditEntry } from './audit.ts';

const PAGE = 500;

/** Every entry as one line of JSON, read a page at a time and no faster than whoever takes it. */
export function auditLines(read: (afterSeq: number, limit: number) => Promise<AuditEntry[]>) {
  const encoder = new TextEncoder();
  let afterSeq = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const entries = await read(afterSeq, PAGE);
        const last = entries.at(-1);
        if (!last) return controller.close();
        afterSeq = last.seq;
        controller.enqueue(encoder.encode(entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')));
      },
    },
    { highWaterMark: 1 },
  );
}
