const CREATED_AT = '2026-01-01T00:00:00Z';
const MAX_INPUT_TOKENS = 1_000_000;
const MAX_OUTPUT_TOKENS = 128_000;

const NAMES = [
  ['claude-opus-5-5', 'Claude Opus 5.5'],
  ['claude-sonnet-5-5', 'Claude Sonnet 5.5'],
  ['claude-haiku-5-5', 'Claude Haiku 5.5'],
] as const;

/** The models of GET /v1/models; requests may name any other model too. */
export const offeredModels = NAMES.map(([id, displayName]) => ({
  type: 'model',
  id,
  display_name: displayName,
  created_at: CREATED_AT,
  capabilities: null,
  deprecated_at: null,
  lifecycle: 'active',
  line: null,
  max_input_tokens: MAX_INPUT_TOKENS,
  max_tokens: MAX_OUTPUT_TOKENS,
  retires_at: null,
}));

/** One page with all models. */
export function modelPage() {
  return {
    data: offeredModels,
    first_id: offeredModels[0]?.id ?? null,
    last_id: offeredModels.at(-1)?.id ?? null,
    has_more: false,
  };
}
