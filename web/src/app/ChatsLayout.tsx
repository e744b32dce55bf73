import { ChatList } from '../chat/list/ChatList.tsx';
import { ConversationPanes } from './ConversationPanes.tsx';
import { ChatListHeader } from './ChatListHeader.tsx';
import { lazyComponent } from '../ui/lazyComponents.tsx';

/* Loaded separately: few lists are empty, and those only once. */
const NoConversations = lazyComponent(async () => (await import('./NoConversations.tsx')).NoConversations);

export function ChatsLayout() {
  return <ConversationPanes list={<ChatList Header={ChatListHeader} Empty={NoConversations} />} />;
}
