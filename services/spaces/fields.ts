import * as z from 'zod';
import { unseenFault } from '../../core-wasm/core.ts';

/** Names that stand in a path or after an `@`: one spelling only, and nothing a file system could read as a path. */
export const Slug = z
  .string()
  .max(64, 'must be 64 characters at most')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a-z, 0-9 and single hyphens between, such as code-reviewer');

/** The same key again returns the row it made and writes nothing. */
export const Key = z.string().min(1).max(200);

/** One line for people: no control characters, none that are not seen or turn the direction of the text, not blank, trimmed. */
export const Line = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(300)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be a single line without control characters')
  .superRefine((line, context) => {
    const message = line === '' ? null : unseenFault(line);
    if (message !== null) context.addIssue({ code: 'custom', message, continue: false });
  });

/** Marks that turn the direction of what follows, so that a name reads as another than it is. */
export const TURNING = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

export const Markdown = z.string().max(1_000_000, 'must be 1,000,000 characters at most');

const MAX_OBJECT_CHARACTERS = 1024 * 1024;

/** A JSON object of which this service knows only that it is one, and not too large. */
export const JsonObject = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => JSON.stringify(value).length <= MAX_OBJECT_CHARACTERS,
    'must be 1 Mi characters at most as JSON',
  );

export const Id = z.string().min(1).max(80);

export const Version = z.number().int().min(1);

export const Paging = z.object({
  after: Id.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export type Paging = z.infer<typeof Paging>;

export interface Page<Item> {
  items: Item[];
  /** Pass as `after` for the next page; null at the end. */
  next: string | null;
}

/** Cuts rows read with `limit + 1` into a page. */
export function pageOf<Item extends { id: string }>(rows: Item[], limit: number): Page<Item> {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
