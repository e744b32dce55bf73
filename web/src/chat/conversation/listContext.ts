import type { Conversation } from '@nolo/api';
import type { Albums } from '../engine/album.ts';
import type { Entry } from '../engine/entries.ts';

/** What the rows of the list, its head and its foot are drawn from. */
export interface ListContext {
  entries: readonly Entry[];
  /** What comes before the first of them, where it is not shown. */
  heldBack: Entry | undefined;
  /** How many rows the conversation has as far as it is known, for whoever hears their numbers. */
  total: number;
  /** Which of them stand together in a grid. */
  albums: Albums;
  conversation: Conversation;
  selfId: string;
  nameOf: (userId: string) => string;
  name: string;
  label: string;
  unreadKey: string | null;
  menuKey: string | null;
  highlightedKey: string | null;
  /** Null while nothing is being selected. */
  selected: ReadonlySet<string> | null;
  older: 'none' | 'more' | 'loading' | 'failed';
  beginning: boolean;
  loadOlder: () => void;
  onRetry: (clientMessageId: string) => void;
  onDiscard: (clientMessageId: string) => void;
}
