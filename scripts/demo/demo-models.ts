/**
 * The `models.json` that makes a server use a scripted model and nothing else by default. Its name shows wherever a model
 * is shown; its prices are examples, so that budgets and costs have something to count.
 */
export function demoModelsFile(baseUrl: string): string {
  const prices = {
    inputMicrosPerMTok: 3_000_000,
    outputMicrosPerMTok: 15_000_000,
    cacheReadMicrosPerMTok: 300_000,
    cacheWriteMicrosPerMTok: 3_750_000,
  };
  const model = {
    id: 'scripted-model',
    provider: 'scripted',
    contextTokens: 200_000,
    maxOutputTokens: 16_000,
    prices,
  };
  return `${JSON.stringify({ defaultModel: model.id, providers: [{ name: 'scripted', baseUrl }], models: [model] }, null, 2)}\n`;
}
