/** What an agent is about in one run: at work on it, waiting, or done with it. */
export interface AgentActivity {
  agentId: string;
  state: 'thinking' | 'runningTool' | 'waitingForApproval' | 'paused' | 'done';
  /** The tool that runs, or whose call waits; null for none, or where it is not known. */
  tool: string | null;
  runId: string;
  conversationId: string | null;
  spaceId: string | null;
  approvalId: string | null;
  since: number;
}

/** What presence needs of runs. Both reject with a Fault when runs cannot be reached. */
export interface ActivitiesPort {
  /** Of every agent that has run: its unfinished runs, else the last one. */
  read(workspaceId: string): Promise<AgentActivity[]>;
  /** The same at once and whenever it has changed; ends when runs ends it, or with the signal. */
  follow(workspaceId: string, signal: AbortSignal): AsyncGenerator<AgentActivity[]>;
}
