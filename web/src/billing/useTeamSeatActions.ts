import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { refreshPlan } from './billingQueries.ts';
import { useBillingWords } from './useBillingWords.ts';

/** Actions on seats. Each reports its result and resolves to true if it worked. */
export function useTeamSeatActions() {
  const { t, i18n } = useBillingWords();
  const queryClient = useQueryClient();
  const attempt = async (action: () => Promise<unknown>, done: string, failed?: string): Promise<boolean> => {
    try {
      await action();
      toast({ kind: 'success', title: done });
      return true;
    } catch (error) {
      showFailure({ title: failed ?? t('billing.teamPage.changeFailed'), description: explainFailure(i18n, error) });
      return false;
    } finally {
      await refreshPlan(queryClient);
    }
  };
  const free = (id: string) => call(routes.freeSeat, { params: { id } });
  return {
    invite: (userIds: readonly string[]) =>
      attempt(
        async () => {
          // Invites one user after another, because each takes a seat that the next may need.
          for (const userId of userIds) await call(routes.inviteToSeat, { body: { userId } });
        },
        t('billing.teamPage.invited', { count: userIds.length }),
        t('billing.teamPage.inviteFailed'),
      ),
    takeBack: (id: string) => attempt(() => free(id), t('billing.teamPage.takenBack')),
    move: (id: string, userId: string) =>
      attempt(() => call(routes.moveSeat, { params: { id }, body: { userId } }), t('billing.teamPage.moved')),
    accept: (ownerId: string) =>
      attempt(() => call(routes.acceptSeat, { params: { id: ownerId } }), t('billing.teamPage.accepted')),
    decline: (selfId: string) => attempt(() => free(selfId), t('billing.teamPage.declined')),
    leave: (selfId: string) => attempt(() => free(selfId), t('billing.teamPage.left')),
  };
}
