import type { Actor } from '../../kit/actor.ts';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

type Answer = Awaited<ReturnType<OpenSpaces['call']>>;

interface Wish {
  key?: string;
  command?: string;
  asked?: string[];
  [field: string]: unknown;
}

/** A room with an agent that asks to run commands. */
export interface Asking {
  open: OpenSpaces;
  ws: string;
  /** Path of the workspace. */
  at: string;
  spaceId: string;
  conversationId: string;
  agent: Actor;
  ask(wish?: Wish): Promise<Answer>;
  decide(id: string, body: object, actor?: Actor): Promise<Answer>;
  ofType(type: string, id: string): Promise<WorkspaceEvent[]>;
  close(): Promise<void>;
}

export async function openAsking(): Promise<Asking> {
  const directory = temporaryDirectory();
  const open = await openSpaces({ dataDir: directory.path });
  const ws = await readyWorkspace(open, 'Asking');
  const at = `/workspaces/${ws}`;
  const space = (await open.call('POST', `${at}/spaces`, { name: 'Room' })).body;
  const [spaceId, conversationId] = [space.id, space.mainConversationId];
  const agent: Actor = `agent:${(await open.call('GET', `${at}/agents`)).body.items[0].id}`;
  let count = 0;
  return {
    ...{ open, ws, at, spaceId, conversationId, agent },
    ask({ key, command = 'git push', asked = ['git_push'], ...more } = {}) {
      const wish = {
        ...{ kind: 'action', requester: agent, subject: command, runId: 'run_1', spaceId, conversationId },
        arguments: { tool: 'run_command', input: { command }, classes: asked, asked, reason: 'It asks.' },
        key: key ?? `call/${++count}`,
      };
      return open.call('POST', `${at}/approvals`, { ...wish, ...more }, 'service:runs');
    },
    decide: (id, body, actor) => open.call('POST', `${at}/approvals/${id}/decision`, body, actor),
    ofType: async (type, id) => (await open.events(ws, type)).filter(({ subject }) => subject === id),
    async close() {
      await open.close();
      directory.remove();
    },
  };
}
