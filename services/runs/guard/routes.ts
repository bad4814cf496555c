import * as z from 'zod';
import { Mode } from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { EVERY_TOOL } from '../tools/every-tool.ts';
import { runCommand } from '../tools/run-command.ts';
import { type Explanation, explainCommand, explainTool, type PolicyGround } from './explain.ts';

const Id = z.string().min(1).max(80);
const Question = z
  .strictObject({
    command: z.string().max(100_000).optional(),
    tool: z.string().min(1).max(200).optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    /** The mode that the space has now, unless told. */
    mode: Mode.optional(),
    agentId: Id.optional(),
    spaceId: Id.optional(),
  })
  .refine(
    ({ command, tool, input }) => (command === undefined) === (tool !== undefined && input !== undefined),
    {
      message: 'must have either a command, or a tool and its input',
    },
  );
type Question = z.infer<typeof Question>;

/** What the policy would say of a call, and why. */
export function policyRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/policy')
    .post('/explain', validate('json', Question), async (c) => {
      const question = c.req.valid('json');
      const { agentId = null, spaceId = null, mode } = question;
      const present = await deps.spaces.guardrails(c.req.param('workspaceId'), { agentId, spaceId });
      return c.json(await explained(deps, question, { ...present, ...(mode && { mode }) }), 200);
    });
}

async function explained(deps: RunsDeps, question: Question, ground: PolicyGround): Promise<Explanation> {
  const { mode, autonomy, rules } = ground;
  const line = question.command ?? commandOf(question);
  if (line !== null) {
    const at = { line, worktree: null, mode, autonomy, rules };
    return explainCommand(await deps.commandReader(), at);
  }
  const { tool } = validCall(question);
  return explainTool(tool, { mode, autonomy, rules });
}

function commandOf(question: Question): string | null {
  if (question.tool !== runCommand.name) return null;
  return String((validCall(question).input as { command: string }).command);
}

/** @throws Fault invalid_request */
function validCall({ tool: name, input }: Question) {
  const tool = EVERY_TOOL.find((known) => known.name === name);
  if (!tool) {
    const names = EVERY_TOOL.map((known) => known.name).join(', ');
    throw new Fault('invalid_request', `There is no tool ${JSON.stringify(name)}. There are: ${names}.`);
  }
  const fault = tool.faultOf(input);
  if (fault !== null) throw new Fault('invalid_request', fault);
  return { tool, input };
}
