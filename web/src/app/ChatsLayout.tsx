import { ChatList } from '../chat/list/ChatList.tsx';
import { ConversationPanes } from './ConversationPanes.tsx';
import { ListHeader } from './ListHeader.tsx';
import { part } from '../ui/parts.tsx';

/* Few lists are empty, and those only once. */
const NoConversations = part(async () => (await import('./NoConversations.tsx')).NoConversations);

/** The conversations, and the open one beside them. */
export function ChatsLayout() {
  return <ConversationPanes list={<ChatList Header={ListHeader} Empty={NoConversations} />} />;
}
