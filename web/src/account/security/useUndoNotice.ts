import type { SecurityNotice } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { refreshSelf } from '../../session/self.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { ProofDeclined, withProof } from '../../api/proof.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';

/** Handles "This wasn't me". Resolves to true once it is done. */
export function useUndoNotice(): (notice: SecurityNotice) => Promise<boolean> {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  return async ({ id }) => {
    try {
      await withProof(() => call(routes.undoNotice, { params: { id } }));
    } catch (error) {
      if (error instanceof ProofDeclined) return false;
      showFailure({ title: t('security.undoFailed'), description: explainFailure(i18n, error) });
      return false;
    } finally {
      for (const queryKey of [queryKeys.securityNotices, queryKeys.identities, queryKeys.sessions]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    }
    toast({ kind: 'success', title: t('security.undoDone'), description: t('security.undoDoneText') });
    await refreshSelf().catch(() => {});
    return true;
  };
}
