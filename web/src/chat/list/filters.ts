import type { Conversation } from '@nolo/api';

export const listFilters = ['all', 'unread', 'groups', 'people'] as const;
export type ListFilter = (typeof listFilters)[number];

/** Minimum conversations for which filters are shown. */
export const minRowsForFilters = 6;

/**
 * Returns true if the filter accepts the row. The open conversation stays, so that it does not disappear while it is
 * read.
 */
export function matchesFilter(filter: ListFilter, row: Conversation, openId: string | undefined): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'unread':
      return row.unreadCount > 0 || row.markedUnread || row.id === openId;
    case 'groups':
      return row.type === 'group';
    case 'people':
      return row.type === 'direct';
  }
}
