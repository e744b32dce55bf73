import type { ShownMedia } from '@nolo/client/chat/shownMedia';
import type { MessageListEntry } from '@nolo/client/chat/timeline';

export interface MediaProps {
  entry: MessageListEntry;
  media: ShownMedia;
  conversationId: string;
  own: boolean;
}
