import type { Conversation } from '@nolo/api';

/** Which conversations the list shows. */
export const listFilters = ['all', 'unread', 'groups', 'people'] as const;
export type ListFilter = (typeof listFilters)[number];

/** Fewer conversations than this are seen at a glance. */
export const filteredFrom = 6;

/** What a filter lets through; what is open stays, or it would go from under the finger as it is read. */
export function passes(filter: ListFilter, row: Conversation, openId: string | undefined): boolean {
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
