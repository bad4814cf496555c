import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { textFaults } from '../../kit/text-faults.ts';
import { invalidRequest } from '../../kit/validate.ts';
import type { Operator } from './operator.ts';
import { jsonResult } from './tool-set.ts';

/** What a call does to the world, as clients are told before they make it. */
type Nature = 'reads' | 'adds' | 'decides';

interface Declaration<Schema extends z.ZodType> {
  name: string;
  title: string;
  description: string;
  input: Schema;
  nature: Nature;
  run(operator: Operator, input: z.output<Schema>): Promise<Record<string, unknown>>;
}

export interface OperatorTool {
  offer: Tool;
  /** A call changes nothing. */
  reads: boolean;
  /** @throws Fault invalid_request naming every wrong field, and what the services answer */
  call(operator: Operator, input: unknown): Promise<CallToolResult>;
}

/** A tool for a person's own clients; its schema and its hints follow from this one declaration. */
export function defineOperatorTool<Schema extends z.ZodType>(declaration: Declaration<Schema>): OperatorTool {
  const { name, title, description, input: schema, nature, run } = declaration;
  const annotations = {
    title,
    readOnlyHint: nature === 'reads',
    destructiveHint: nature === 'decides',
    openWorldHint: false,
  };
  return {
    offer: {
      name,
      title,
      description,
      inputSchema: shown(z.toJSONSchema(schema, { io: 'input' })),
      annotations,
    },
    reads: nature === 'reads',
    call: async (operator, input) => {
      const parsed = schema.safeParse(input);
      const faults = parsed.success ? textFaults(input) : parsed.error.issues;
      if (!parsed.success || faults.length > 0) throw invalidRequest(`input of ${name}`, faults);
      return jsonResult(await run(operator, parsed.data));
    },
  };
}

function shown({ $schema, ...body }: Record<string, unknown>): Tool['inputSchema'] {
  return { ...body, type: 'object' };
}

export const Id = z.string().min(1).max(80);

export const paging = {
  after: Id.optional().describe('`next` of the page before'),
  limit: z.number().int().min(1).max(100).default(20),
};
