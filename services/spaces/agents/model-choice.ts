import type { Actor } from '../../kit/actor.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { Agent } from './schema.ts';

/** The models that runs can use, as far as an agent's settings speak of them. */
interface OfferedModels {
  defaultModel: string;
  items: readonly { id: string; effort: readonly string[] }[];
}

/** Asks the agents' side for its models. @throws Fault unavailable */
export type ListModels = (workspaceId: string, actor: Actor) => Promise<OfferedModels>;

const SETTINGS: readonly string[] = ['modelId', 'effort'] satisfies (keyof Agent)[];

/** Whether saving has to look at the models: not when nothing is chosen, so that it depends on nobody then. */
export function choosesModel(agent: Agent, changed: readonly string[]): boolean {
  const isTouched = changed.some((field) => SETTINGS.includes(field));
  return isTouched && (agent.modelId !== null || agent.effort !== null);
}

/**
 * Checks that the agent's model exists and takes its effort; without a model the default one counts.
 * @throws Fault invalid_request with what there is to choose from, unavailable when that cannot be known
 */
export async function checkModelChoice(
  { modelId, effort }: Pick<Agent, 'modelId' | 'effort'>,
  list: () => Promise<OfferedModels>,
): Promise<void> {
  const { defaultModel, items } = await list().catch(unknowable);
  const model = items.find(({ id }) => id === (modelId ?? defaultModel));
  if (!model) throw unknownModel(modelId ?? defaultModel, items);
  if (effort !== null && !model.effort.includes(effort)) throw unknownEffort(effort, model);
}

function unknowable(error: unknown): never {
  if (!hasFaultCode(error, 'unavailable')) throw error;
  throw new Fault(
    'unavailable',
    `Which models there are cannot be known now, so nothing was saved. Try again, or leave model and effort unset. ${(error as Fault).message}`,
    (error as Fault).detail,
    { cause: error },
  );
}

function unknownModel(modelId: string, items: OfferedModels['items']): Fault {
  const models = items.map(({ id }) => id);
  return new Fault(
    'invalid_request',
    `There is no model ${JSON.stringify(modelId)}. Choose one of: ${models.join(', ')}; others are added in the server's models.json.`,
    { faults: [{ path: 'modelId', message: 'names no model that is listed' }], models },
  );
}

function unknownEffort(effort: string, { id, effort: efforts }: OfferedModels['items'][number]): Fault {
  const choice =
    efforts.length === 0
      ? 'It takes none: leave the effort unset, or choose another model.'
      : `Choose one of: ${efforts.join(', ')}; or leave it unset.`;
  return new Fault(
    'invalid_request',
    `${JSON.stringify(effort)} is no effort of the model ${id}. ${choice}`,
    {
      faults: [{ path: 'effort', message: `is no effort of the model ${id}` }],
      efforts,
    },
  );
}
