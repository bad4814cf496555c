import type { Octokit } from '@octokit/rest';
import pRetry from 'p-retry';
import type * as z from 'zod';
import { hasFaultCode } from '../../../kit/fault.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { providerFault, tokenMissing, unreadable } from './provider-fault.ts';

export interface CallerOptions {
  /** `https://api.github.com`, or that of an own server. */
  apiUrl: string;
  token: string | null;
  timeoutMs?: number;
}

const PAGE = 100;
const MOST_PAGES = 50;
const READ_RETRIES = { retries: 2, minTimeout: 200 };

interface Answer {
  data: unknown;
  headers: { link?: string | undefined };
}
type Ask = (octokit: Octokit) => Promise<Answer>;

/** @param what is asked for, in words */
export type Read = <T>(schema: z.ZodType<T>, what: string, ask: Ask) => Promise<T>;

type Once = <T>(schema: z.ZodType<T>, what: string, ask: Ask) => Promise<{ value: T; link: string }>;
/** What a list has; not all of it when there is more than is ever asked for. */
interface Pages<T> {
  items: T[];
  isWhole: boolean;
}

export type AskPage = (octokit: Octokit, paging: { per_page: number; page: number }) => Promise<Answer>;

/** Calls of the client: each answer is checked, each failure is a Fault, and what only reads is tried again. */
export function caller({ apiUrl, token, timeoutMs }: CallerOptions) {
  const provider = `The provider at ${new URL(apiUrl).host}`;
  const client = clientOf(apiUrl, token, timeoutMs);
  const once: Once = async (schema, what, ask) => {
    if (token === null) throw tokenMissing(provider);
    const octokit = await client();
    const answer = await ask(octokit).catch((error: unknown) => {
      throw providerFault(error, provider, what, Date.now());
    });
    const parsed = schema.safeParse(answer.data);
    if (!parsed.success || answer.data === undefined) throw unreadable(provider, what);
    return { value: parsed.data, link: answer.headers.link ?? '' };
  };
  // Never tried again: nobody knows whether a request without an answer was carried out.
  const write: Read = async (schema, what, ask) => (await once(schema, what, ask)).value;
  const read: Read = async (schema, what, ask) => (await again(() => once(schema, what, ask))).value;
  const pages: PageReader = async (schema, what, ask, page) => {
    const { value, link } = await again(() =>
      once(schema, what, (octokit) => ask(octokit, { per_page: PAGE, page })),
    );
    return { items: value, link };
  };
  const page = <T>(schema: z.ZodType<T[]>, what: string, ask: AskPage) => allPages(pages, schema, what, ask);
  const newest = <T>(schema: z.ZodType<T[]>, what: string, ask: AskPage) =>
    lastPages(pages, schema, what, ask);
  return { read, page, newest, write };
}

function again<T>(call: () => Promise<T>): Promise<T> {
  return pRetry(call, {
    ...READ_RETRIES,
    shouldRetry: ({ error }) => hasFaultCode(error, 'provider_unavailable'),
  });
}

type PageReader = <T>(
  schema: z.ZodType<T[]>,
  what: string,
  ask: AskPage,
  page: number,
) => Promise<{ items: T[]; link: string }>;

async function allPages<T>(
  read: PageReader,
  schema: z.ZodType<T[]>,
  what: string,
  ask: AskPage,
): Promise<Pages<T>> {
  const all: T[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { items, link } = await read(schema, what, ask, page);
    all.push(...items);
    if (!/rel="next"/.test(link)) return { items: all, isWhole: true };
  }
  return { items: all, isWhole: false };
}

/** The pages of a list to which things are added at the end, the last one first. */
async function* lastPages<T>(
  read: PageReader,
  schema: z.ZodType<T[]>,
  what: string,
  ask: AskPage,
): AsyncGenerator<T[]> {
  const first = await read(schema, what, ask, 1);
  const last = Number(/[?&]page=(\d+)[^>]*>;\s*rel="last"/.exec(first.link)?.[1] ?? 1);
  for (let page = last; page > Math.max(1, last - MOST_PAGES); page--) {
    yield (await read(schema, what, ask, page)).items;
  }
  yield first.items;
}

/** Loaded at the first call: many installations never make one. It logs nothing, since what it would log holds the token. */
function clientOf(
  apiUrl: string,
  token: string | null,
  timeoutMs: number | undefined,
): () => Promise<Octokit> {
  let loading: Promise<Octokit> | null = null;
  const silent = () => undefined;
  const load = async () => {
    const { Octokit } = await import('@octokit/rest');
    return new Octokit({
      baseUrl: apiUrl.replace(/\/+$/, ''),
      auth: token ?? undefined,
      userAgent: 'control-center',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      request: { fetch: guardedFetch(timeoutMs) },
    });
  };
  return () => {
    loading ??= load();
    return loading;
  };
}
