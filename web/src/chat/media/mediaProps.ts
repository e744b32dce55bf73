import type { ListEntry } from '../engine/entries.ts';
import type { ShownMedia } from '../engine/shownMedia.ts';

/** Props of a medium in a conversation. */
export interface MediaProps {
  entry: ListEntry;
  media: ShownMedia;
  conversationId: string;
  own: boolean;
}
