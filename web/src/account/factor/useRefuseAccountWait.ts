import { routes } from '@nolo/api';
import { ApiError, call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { factorTexts } from './factorTexts.ts';

/** Refuses a request for the account without its second factor. */
export function useRefuseAccountWait() {
  const { t } = useTexts(factorTexts);
  return useAction(
    () =>
      call(routes.refuseAccountWait).catch((error: unknown) => {
        // Already refused on another device, which is the requested result.
        if (!(error instanceof ApiError) || error.code !== 'account_wait_not_found') throw error;
      }),
    {
      invalidates: [queryKeys.secondFactor, queryKeys.securityNotices],
      failure: t('factor:refuseFailed'),
      onDone: () => toast({ kind: 'success', title: t('factor:refused') }),
    },
  );
}
