import type { Entry } from '../engine/entries.ts';
import type { ShownMedia } from '../engine/shownMedia.ts';

/** What a medium in a conversation is drawn from. */
export interface MediaProps {
  entry: Entry;
  media: ShownMedia;
  conversationId: string;
  own: boolean;
}
