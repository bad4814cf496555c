import * as z from 'zod';

/** Up to ten thousand dollars, far above any, so that no sum outgrows what can be kept. */
const Price = z.int().nonnegative().max(10_000_000_000);
const PriceTable = z.strictObject({
  inputMicrosPerMTok: Price,
  outputMicrosPerMTok: Price,
  cacheReadMicrosPerMTok: Price,
  cacheWriteMicrosPerMTok: Price,
  cacheWrite1hMicrosPerMTok: Price.optional(),
});
const Prices = PriceTable.extend({
  above: z.strictObject({ inputTokens: z.int().positive(), prices: PriceTable }).optional(),
});

const Model = z.strictObject({
  id: z.string().min(1).max(200),
  provider: z.string().min(1).optional(),
  contextTokens: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  effort: z.array(z.string().min(1)).optional(),
  media: z.array(z.enum(['image', 'pdf'])).optional(),
  prices: Prices.nullable().optional(),
});
export type FileModel = z.infer<typeof Model>;

/** What a provider entry says elsewhere, or what the connection itself decides. */
const RESERVED_HEADERS = [
  ...['authorization', 'x-api-key', 'anthropic-version', 'host', 'connection', 'transfer-encoding'],
  ...['accept', 'content-type', 'content-length', 'content-encoding'],
];
const HeaderName = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'name headers in lower-case letters, digits and hyphens')
  .refine(
    (name) => !RESERVED_HEADERS.includes(name),
    'this header is set by auth, apiVersion or the connection',
  );

const Variable = z.string().min(1);

const Provider = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'use lower-case letters, digits and hyphens'),
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  /** Name of the environment variable that holds the key; the file itself holds none. */
  apiKeyEnv: Variable.optional(),
  /** Which header carries the key: `Authorization: Bearer …`, or `x-api-key`. */
  auth: z.enum(['bearer', 'x-api-key']).default('bearer'),
  /** Further headers, each with the environment variable that holds its value. */
  headersEnv: z.record(HeaderName, Variable).default({}),
  /** `anthropic-version`, for servers that know only an older one than the client library's. */
  apiVersion: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'use a date as 2023-06-01')
    .optional(),
});
export type FileProvider = z.infer<typeof Provider>;

/** The user's `models.json`. */
export const ModelsFile = z.strictObject({
  defaultModel: z.string().min(1).optional(),
  providers: z.array(Provider).default([]),
  models: z.array(Model).default([]),
});
export type ModelsFile = z.infer<typeof ModelsFile>;
