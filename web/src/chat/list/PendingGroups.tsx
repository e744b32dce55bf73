import { routes, type OwnJoinRequest } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { formatExactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { useAction } from '../../ui/useAction.ts';
import { groupKeys } from '../context/groupQueries.ts';
import { useTexts } from '../../i18n/texts.ts';
import { requestsTexts } from '../words/requestsTexts.ts';

/**
 * Groups that the user asked to join, above the conversations. They are pending, and the user can withdraw the request.
 */
export function PendingGroups({ requests }: { requests: readonly OwnJoinRequest[] }) {
  const { t } = useTexts(requestsTexts);
  return (
    <ul aria-label={t('requests:sentGroups')} className="max-h-1/3 shrink-0 overflow-y-auto">
      {requests.map((request) => (
        <li key={request.id} className="px-2 py-px">
          <PendingRow request={request} />
        </li>
      ))}
    </ul>
  );
}

function PendingRow({ request }: { request: OwnJoinRequest }) {
  const { t } = useTexts(requestsTexts);
  const queryClient = useQueryClient();
  const locale = useLocale();
  const { id, name, pictureUrl, requestedAt } = request;
  const { run, busy } = useAction(routes.cancelJoinRequest, {
    failure: t('requests:withdrawFailed'),
    invalidates: [groupKeys.ownRequests],
    onDone: () =>
      queryClient.setQueryData<readonly OwnJoinRequest[]>(groupKeys.ownRequests, (known) =>
        known?.filter((one) => one.id !== id),
      ),
  });
  return (
    <div className="flex h-(--nolo-row) items-center gap-3 rounded-card px-2.5">
      <Avatar name={name} imageUrl={pictureUrl} size={48} className="nolo-row-picture" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
          {name}
        </span>
        <span className="mt-0.5 flex min-w-0 items-center gap-1.5 text-14 text-muted">
          <Hourglass aria-hidden="true" className="size-3.5 shrink-0" />
          <time dateTime={requestedAt} title={formatExactTime(Date.parse(requestedAt), locale)} className="truncate">
            {t('requests:sent')}
          </time>
          <Button
            kind="quiet"
            size="small"
            className="-my-1.5 ms-auto px-2! text-accent-text!"
            busy={busy}
            aria-label={t('requests:withdrawOf', { name })}
            onClick={() => void run({ params: { id } })}
          >
            {t('requests:withdraw')}
          </Button>
        </span>
      </span>
    </div>
  );
}
