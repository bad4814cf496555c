export interface Decision {
  /** Of the approval. */
  kind: string;
  status: string;
  decision: { reason?: string | undefined; changesRequested?: boolean | undefined };
  arguments: Record<string, unknown>;
}

/** Whether the agent is to go on after this decision with a run of its own. */
export function isFollowedUp({ kind, status, decision }: Decision): boolean {
  if (kind === 'plan_exit') return status === 'approved' || status === 'refused';
  return kind === 'orchestration' && decision.changesRequested === true;
}

/**
 * What was decided, why, and what to do next.
 * @param surface the tools that the agent will have; no other is named
 */
export function followUpPrompt(decided: Decision, surface: readonly string[]): string {
  const parts = decided.kind === 'plan_exit' ? planExit(decided, surface) : changes(decided, surface);
  return parts.filter((part) => part !== '').join('\n\n');
}

function planExit({ status, decision, arguments: { summary } }: Decision, surface: readonly string[]) {
  const asked = typeof summary === 'string' ? `What you had asked for:\n${quoted(summary)}` : '';
  if (status === 'approved') return [`Your request to leave plan mode is approved.`, asked, granted(surface)];
  const what = decision.changesRequested ? 'Changes were asked of' : 'Refused was';
  const reason = decision.reason ? `\n${quoted(decision.reason)}` : ' without a reason.';
  return [
    `${what} your request to leave plan mode${decision.reason ? ':' : ','}${reason}`,
    asked,
    notGranted(surface),
  ];
}

function granted(surface: readonly string[]): string {
  return surface.includes('exit_plan_mode')
    ? 'Call exit_plan_mode now: with that call the space goes to Agent mode, and not before.'
    : 'The space is not in plan mode any more, so nothing has to be called. Go on with what you have asked for.';
}

function notGranted(surface: readonly string[]): string {
  const again = surface.includes('exit_plan_mode')
    ? ' If you still need to leave it, change your request by what was said and call exit_plan_mode again.'
    : '';
  const plan = surface.includes('submit_plan') ? ' Deliver a plan with submit_plan if one is wanted.' : '';
  return `The space stays as it is.${plan}${again}`;
}

/** The tools of the surface with which what was submitted can be revised. */
export function revisingTools({ arguments: { kind } }: Decision, surface: readonly string[]): string[] {
  // Where the approval does not say whether it is about a plan, what the surface offers tells.
  const tools = [
    ...(kind === 'orchestration' ? [] : ['submit_plan']),
    ...(kind === 'plan' ? [] : ['propose_orchestration']),
  ];
  return tools.filter((name) => surface.includes(name));
}

function changes(decided: Decision, surface: readonly string[]): string[] {
  const { decision, arguments: about } = decided;
  const { orchestrationId, revision } = about;
  const id = typeof orchestrationId === 'string' ? orchestrationId : 'it';
  const which = typeof revision === 'number' ? `revision ${revision} of ${id}` : id;
  const how = howToRevise(id, revisingTools(decided, surface));
  return [
    `Changes are asked of what you submitted, ${which}:\n${quoted(decision.reason ?? 'No reason was given.')}`,
    `Nothing of it can be approved until you have submitted a revision.${how}`,
  ];
}

function howToRevise(id: string, tools: readonly string[]): string {
  if (tools.length === 0) return ' Your tools here cannot do that; say what you would change.';
  const calls = tools.map(
    (name) => `${name} with ${name === 'submit_plan' ? 'planId' : 'orchestrationId'} ${id}`,
  );
  return ` Call ${calls.join(', or ')}, with everything it is to hold.`;
}

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ');
}
