import type { MessageListEntry } from '../engine/entries.ts';
import type { ShownMedia } from '../engine/shownMedia.ts';

/** Props of a medium in a conversation. */
export interface MediaProps {
  entry: MessageListEntry;
  media: ShownMedia;
  conversationId: string;
  own: boolean;
}
