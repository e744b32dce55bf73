import type { Conversation } from '@nolo/api';
import { createContext } from 'react';
import type { Albums } from '@nolo/client/chat/album';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { SealedRows } from '../sealed/useSealedRows.ts';

/** Data for the rows, head, and foot of the list. */
export interface MessageListContext {
  entries: readonly MessageListEntry[];
  /** Entry before the first one, if it is not shown. */
  hiddenNeighbour: MessageListEntry | undefined;
  /** Known number of rows in the conversation, for screen readers that announce row numbers. */
  total: number;
  /** Entries that appear together in a grid. */
  albums: Albums;
  sealed: SealedRows;
  conversation: Conversation;
  selfId: string;
  nameOf: (userId: string) => string;
  name: string;
  label: string;
  unreadKey: string | null;
  menuKey: string | null;
  highlightedKey: string | null;
  /** Null while no selection is in progress. */
  selected: ReadonlySet<string> | null;
  older: 'none' | 'more' | 'loading' | 'failed';
  beginning: boolean;
  loadOlder: () => void;
  onRetry: (clientMessageId: string) => void;
  onDiscard: (clientMessageId: string) => void;
}

/** False until a list's rows are visible. Elements that only a press needs are rendered after that. */
export const RowsSettledContext = createContext(true);
