import type { Route, RouteReply } from '@nolo/api';
import { routes } from '@nolo/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { ProofDeclined, withProof } from '../../api/proof.ts';
import { call, callPage } from '../../api/httpClient.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { billingQueryKey } from '../billingQueries.ts';
import { useAdminWords } from './useAdminWords.ts';

const adminKey = [...billingQueryKey, 'admin'];
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

/** Queries one operator list, page by page. */
export function useAdminList<V extends BillingAdminView>(view: V, { userId, state }: BillingAdminFilter) {
  return useInfiniteQuery({
    queryKey: [...adminKey, view, userId, state],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: rowsPerPage,
        ...(userId !== '' && { userId }),
        ...(state !== '' && { state }),
        ...(pageParam && { cursor: pageParam }),
      };
      // All lists take the same parameters, except for the names of their states.
      const find = () => callPage(lists[view] as Route, { query: query as unknown as undefined, signal });
      return withProof(find) as Promise<{ items: RouteReply<(typeof lists)[V]>; nextCursor: string | null }>;
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** Actions of operators. Each reports its result and resolves to true if it worked; its own id makes a retry safe. */
export function useBillingAdminActions() {
  const { t, i18n } = useAdminWords();
  const queryClient = useQueryClient();
  const attempt = async (action: () => Promise<unknown>, done: string): Promise<boolean> => {
    try {
      await withProof(action);
      toast({ kind: 'success', title: done });
      return true;
    } catch (error) {
      if (!(error instanceof ProofDeclined)) {
        showFailure({ title: t('billingAdmin.changeFailed'), description: explainFailure(i18n, error) });
      }
      return false;
    } finally {
      void queryClient.invalidateQueries({ queryKey: billingQueryKey });
    }
  };
  return {
    refund: (orderId: string, body: { id: string; amountMinor: number; reason: string }) =>
      attempt(
        () => call(routes.refundOrder, { params: { id: orderId }, body, timeoutMs: 30_000 }),
        t('billingAdmin.refundDone'),
      ),
    give: (userId: string, body: { id: string; plan: 'free' | 'plus' | 'business'; days: number; reason: string }) =>
      attempt(() => call(routes.grantPlan, { params: { id: userId }, body }), t('billingAdmin.giveDone')),
    reconcile: () => attempt(() => call(routes.reconcileMeters), t('billingAdmin.reconciling')),
    retry: (id: string) => attempt(() => call(routes.retryNotification, { params: { id } }), t('billingAdmin.retried')),
  };
}
