import type {
  CallAdmission,
  CallDecision,
  HarnessTool,
  ToolCall,
  ToolOutcome,
  ToolPort,
} from '../tool-port.ts';

/** What a port that holds nothing back decides. */
export const ALLOWED: CallDecision = {
  ...{ decision: 'allow', classes: [], rule: { kind: 'harmless' }, reason: 'Nothing holds it back.' },
  approvalId: null,
};

export type ToolGate = (call: ToolCall) => Promise<CallAdmission> | CallAdmission;
export type ToolBody = (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome> | ToolOutcome;

export interface CountingTools extends ToolPort {
  /** Every execution in the order it began. */
  executions: ToolCall[];
  /** Every call that was put before the port, in order. */
  admissions: ToolCall[];
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

/** Tools that count what they did; without a body a tool answers with its own name and input, without a gate it is admitted. */
export function createCountingTools(
  tools: readonly HarnessTool[],
  bodies: Record<string, ToolBody> = {},
  gates: Record<string, ToolGate> = {},
): CountingTools {
  let running = 0;
  const counts = { executions: [], admissions: [], effects: new Map(), widest: 0 };
  const port: CountingTools = { tools, ...counts, admit, execute };

  async function admit(call: ToolCall): Promise<CallAdmission> {
    port.admissions.push(call);
    return (await gates[call.name]?.(call)) ?? { kind: 'run', decision: ALLOWED };
  }

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
