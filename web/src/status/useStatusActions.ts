import type { StatusAuthor, StatusUpdate } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { updateStatusesInCache } from './statusQueries.ts';
import { useStatusWords } from './useStatusWords.ts';

/**
 * Returns the actions on status updates. They report their failures, except that of a view, which does not matter (spec
 * section 7).
 */
export function useStatusActions() {
  const { t, i18n } = useStatusWords();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: queryKeys.statuses });
    const fail = (title: string) => (error: unknown) => {
      showFailure({ title, description: explainFailure(i18n, error) });
      refresh();
    };
    return {
      view(status: StatusUpdate): void {
        updateStatusesInCache(queryClient, (one) => (one.id === status.id ? { ...one, hasViewed: true } : one));
        call(routes.viewStatus, { params: { id: status.id } })
          // oxlint-disable-next-line no-console -- the specification has it logged, and nobody told (section 7)
          .catch((error: unknown) => console.warn('A view of a status update was not recorded.', error))
          .finally(refresh);
      },
      /** @returns true if it was deleted */
      async remove(status: StatusUpdate): Promise<boolean> {
        try {
          await call(routes.removeStatus, { params: { id: status.id } });
          updateStatusesInCache(queryClient, (one) => (one.id === status.id ? undefined : one));
          toast({ kind: 'success', title: t('status.viewer.deleted') });
          return true;
        } catch (error) {
          fail(t('status.viewer.deleteFailed'))(error);
          return false;
        }
      },
      mute({ id, displayName: name }: StatusAuthor, muted: boolean): void {
        updateStatusesInCache(queryClient, (one) => (one.userId === id ? { ...one, isMuted: muted } : one));
        call(muted ? routes.muteStatuses : routes.unmuteStatuses, { params: { userId: id } }).then(
          () => toast({ kind: 'success', title: t(muted ? 'status.viewer.muted' : 'status.viewer.unmuted', { name }) }),
          fail(t('status.viewer.muteFailed')),
        );
      },
    };
  }, [t, i18n, queryClient]);
}
