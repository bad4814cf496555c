/** Where a server that speaks the Messages API is, and what every request to it carries. */
export interface ModelEndpoint {
  /** Null: the address of the model's maker. */
  baseUrl: string | null;
  apiKey: string | null;
  /** Which header carries the key; never both. */
  auth: 'bearer' | 'x-api-key';
  /** Further headers, by their lower-case names; their values are as secret as the key. */
  headers: Record<string, string>;
  /** `anthropic-version`; null: the one of the client library. */
  apiVersion: string | null;
}

const OWN_ADDRESS = 'https://api.anthropic.com';

export function addressOf({ baseUrl }: Pick<ModelEndpoint, 'baseUrl'>): string {
  return baseUrl ?? OWN_ADDRESS;
}

/** What must never show anywhere: each endpoint's key and headers. */
export function secretsOf(endpoints: readonly ModelEndpoint[]): string[] {
  return endpoints.flatMap(({ apiKey, headers }) => [...(apiKey ? [apiKey] : []), ...Object.values(headers)]);
}

/** An endpoint with nothing special about it. */
export function plainEndpoint(baseUrl: string | null, apiKey: string | null): ModelEndpoint {
  return { baseUrl, apiKey, auth: 'bearer', headers: {}, apiVersion: null };
}
