import { routes, type Route } from '@nolo/api';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { usePages, type PageItem } from '../../api/usePages.ts';
import { toast } from '../../ui/toasts.ts';
import { billingQueryKey } from '../billingQueries.ts';
import { useTexts } from '../../i18n/texts.ts';
import { billingAdminTexts } from './billingAdminTexts.ts';

const rowsPerPage = 25;

export interface BillingAdminFilter {
  userId: string;
  state: string;
}

const lists = {
  orders: routes.findOrders,
  subscriptions: routes.findSubscriptions,
  notifications: routes.findNotifications,
  audit: routes.findAudit,
} as const;
export type BillingAdminView = keyof typeof lists;
export const billingAdminViews = Object.keys(lists) as BillingAdminView[];
export type BillingAdminRow<V extends BillingAdminView> = PageItem<(typeof lists)[V]>;

/** Queries one operator list, page by page. */
export function useAdminList<V extends BillingAdminView>(view: V, { userId, state }: BillingAdminFilter) {
  // All lists take the same parameters, except for the names of their states.
  const query = { limit: rowsPerPage, ...(userId !== '' && { userId }), ...(state !== '' && { state }) };
  const queryKey = [...billingQueryKey, 'admin', view, userId, state];
  return usePages(lists[view] as Route, { queryKey, query: query as never }) as UseInfiniteQueryResult<
    InfiniteData<{ items: BillingAdminRow<V>[] }>
  >;
}

/** Returns options of an action of operators, which reports its result. */
export function useBillingAdminActionOptions(done: string) {
  const { t } = useTexts(billingAdminTexts);
  return {
    invalidates: [billingQueryKey],
    failure: t('billingAdmin:changeFailed'),
    onDone: () => void toast({ kind: 'success', title: done }),
  };
}
