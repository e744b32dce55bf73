import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { ApiError } from '../../api/request.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';

/** Refuses a request for the account without its second factor. Its texts are in `security`. */
export function useRefuseAccountWait(): { refuse: () => Promise<void>; busy: boolean } {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const refuse = async () => {
    setBusy(true);
    try {
      await call(routes.refuseAccountWait);
      toast({ kind: 'success', title: t('security.refused') });
    } catch (error) {
      // Already refused on another device, which is the requested result.
      if (error instanceof ApiError && error.code === 'account_wait_not_found') {
        toast({ kind: 'success', title: t('security.refused') });
      } else showFailure({ title: t('security.refuseFailed'), description: explainFailure(i18n, error) });
    }
    setBusy(false);
    for (const queryKey of [queryKeys.secondFactor, queryKeys.securityNotices]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  };
  return { refuse, busy };
}
