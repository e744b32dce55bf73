import type { Billing } from '@nolo/api';
import { routes } from '@nolo/api';
import type { PlanId } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { billingQueryKey, cacheBilling } from './billingQueries.ts';
import { useBillingWords } from './useBillingWords.ts';

/** Actions on the present plan. Each reports its result. */
export function usePlanActions() {
  const { t, i18n } = useBillingWords();
  const queryClient = useQueryClient();
  const attempt = async (action: () => Promise<Billing>, done: string): Promise<void> => {
    try {
      cacheBilling(queryClient, await action());
      toast({ kind: 'success', title: done });
    } catch (error) {
      showFailure({ title: t('billing.changeFailed'), description: explainFailure(i18n, error) });
      void queryClient.invalidateQueries({ queryKey: billingQueryKey });
    }
  };
  return {
    resume: () => attempt(() => call(routes.resumePlan), t('billing.resumed')),
    become: (plan: PlanId) =>
      plan === 'free'
        ? attempt(() => call(routes.cancelPlan), t('billing.cancelled'))
        : attempt(() => call(routes.downgradePlan, { body: { plan } }), t('billing.downgraded')),
  };
}
