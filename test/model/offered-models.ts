const CREATED_AT = '2026-01-01T00:00:00Z';
const MAX_INPUT_TOKENS = 1_000_000;
const MAX_OUTPUT_TOKENS = 128_000;

const USUAL = ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'];

export type OfferedModel = ReturnType<typeof offeredModel>;

/** The models of GET /v1/models; requests may name any other model too. */
export function offeredModels(ids: readonly string[] = USUAL): OfferedModel[] {
  return ids.map(offeredModel);
}

function offeredModel(id: string) {
  return {
    type: 'model',
    id,
    display_name: displayName(id),
    created_at: CREATED_AT,
    capabilities: null,
    deprecated_at: null,
    lifecycle: 'active',
    line: null,
    max_input_tokens: MAX_INPUT_TOKENS,
    max_tokens: MAX_OUTPUT_TOKENS,
    retires_at: null,
  };
}

/** `claude-opus-5-5` is Claude Opus 5.5. */
function displayName(id: string): string {
  const words = id.replaceAll(/(\d)-(?=\d)/g, '$1.').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

/** One page with all models. */
export function modelPage(models: readonly OfferedModel[]) {
  return {
    data: models,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
    has_more: false,
  };
}
