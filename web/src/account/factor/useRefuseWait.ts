import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { ApiError } from '../../api/request.ts';
import { failureWords } from '../../i18n/serverWords.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';

/** Refuses whoever asked for the account without its second factor. Its words are those of `security`. */
export function useRefuseWait(): { refuse: () => Promise<void>; busy: boolean } {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const refuse = async () => {
    setBusy(true);
    try {
      await call(routes.refuseAccountWait);
      toast({ kind: 'success', title: t('security.refused') });
    } catch (error) {
      // Refused on another device meanwhile, which is what was wanted.
      if (error instanceof ApiError && error.code === 'account_wait_not_found') {
        toast({ kind: 'success', title: t('security.refused') });
      } else showFailure({ title: t('security.refuseFailed'), description: failureWords(i18n, error) });
    }
    setBusy(false);
    for (const queryKey of [queryKeys.secondFactor, queryKeys.securityNotices]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  };
  return { refuse, busy };
}
