import type { HarnessTool, ToolCall, ToolOutcome, ToolPort } from '../tool-port.ts';

export type ToolBody = (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome> | ToolOutcome;

export interface CountingTools extends ToolPort {
  /** Every execution in the order it began. */
  executions: ToolCall[];
  /** Effects by call id; a keyed tool's second execution makes none. */
  effects: Map<string, number>;
  /** The most that ran at the same time. */
  widest: number;
}

const INPUT_SCHEMA = { type: 'object', properties: {}, additionalProperties: true };

export function tool(name: string, facts: Partial<HarnessTool> = {}): HarnessTool {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: INPUT_SCHEMA,
    tier: 'read',
    keyed: false,
    ...facts,
  };
}

export function result(content: string, isError = false): ToolOutcome {
  return { kind: 'result', content, isError };
}

/** Tools that count what they did; without a body a tool answers with its own name and input. */
export function createCountingTools(
  tools: readonly HarnessTool[],
  bodies: Record<string, ToolBody> = {},
): CountingTools {
  let running = 0;
  const port: CountingTools = { tools, executions: [], effects: new Map(), widest: 0, execute };

  async function execute(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> {
    port.executions.push(call);
    const isKeyed = tools.find((known) => known.name === call.name)?.keyed ?? false;
    const before = port.effects.get(call.callId) ?? 0;
    port.effects.set(call.callId, isKeyed ? 1 : before + 1);
    running += 1;
    port.widest = Math.max(port.widest, running);
    try {
      const body = bodies[call.name];
      return body ? await body(call, signal) : result(`${call.name} ${JSON.stringify(call.input)}`);
    } finally {
      running -= 1;
    }
  }

  return port;
}
