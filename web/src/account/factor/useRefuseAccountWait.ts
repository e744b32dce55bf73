import { routes } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';

/** Refuses a request for the account without its second factor. Its texts are in `security`. */
export function useRefuseAccountWait() {
  const { t } = useTranslation();
  return useAction(
    () =>
      call(routes.refuseAccountWait).catch((error: unknown) => {
        // Already refused on another device, which is the requested result.
        if (!(error instanceof ApiError) || error.code !== 'account_wait_not_found') throw error;
      }),
    {
      invalidates: [queryKeys.secondFactor, queryKeys.securityNotices],
      failure: t('security.refuseFailed'),
      onDone: () => toast({ kind: 'success', title: t('security.refused') }),
    },
  );
}
