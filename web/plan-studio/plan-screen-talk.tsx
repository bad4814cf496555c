import { ConversationPane } from '../conversation/conversation-pane.tsx';
import { useDesk } from './plan-screen-context.ts';

/** The conversation in which the plan was proposed. */
export default function PlanTalk() {
  const { ws, detail } = useDesk();
  return <ConversationPane ws={ws} spaceId={detail.spaceId} conversationId={detail.conversationId} />;
}
