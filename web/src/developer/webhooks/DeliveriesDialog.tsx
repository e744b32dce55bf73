import type { Webhook } from '@nolo/api';
import { RotateCw } from 'lucide-react';
import { getDateFormat } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { useWebhookWords } from './useWebhookWords.ts';
import { useDeliveries, useWebhookActions } from './webhooks.ts';

/** Lists sent and pending deliveries of a webhook with their responses, and resends them. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useWebhookWords();
  const locale = useLocale();
  const { data, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useDeliveries(
    webhook.id,
  );
  const { resend } = useWebhookActions();
  const deliveries = data?.pages.flatMap((page) => page.items);
  const time = (at: string) =>
    getDateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(Date.parse(at));
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('webhooks.list.title')}
      description={t('webhooks.list.text')}
    >
      {isError && !deliveries ? (
        <ErrorState
          className="py-4!"
          title={t('webhooks.list.loadFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : deliveries === undefined ? (
        <SkeletonRows rows={3} label={t('webhooks.list.title')} />
      ) : deliveries.length === 0 ? (
        <p className="py-4 text-14 text-muted">{t('webhooks.list.empty')}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {deliveries.map(({ id, type, state, responseStatus, createdAt }) => (
            <li key={id} className="flex items-center gap-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14">
                  <code dir="ltr">{type}</code>
                  <Badge tone={state === 'failed' ? 'danger' : state === 'delivered' ? 'accent' : 'neutral'}>
                    {t(`webhooks.list.${state}`)}
                  </Badge>
                </p>
                <p className="text-13 text-muted">
                  {[
                    time(createdAt),
                    ...(responseStatus === null ? [] : [t('webhooks.list.answered', { status: responseStatus })]),
                  ].join(' · ')}
                </p>
              </div>
              {state !== 'sending' && (
                <IconButton
                  label={t('webhooks.list.resend', { type })}
                  icon={<RotateCw />}
                  onClick={() => void resend(webhook, id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button kind="secondary" size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('webhooks.list.more')}
        </Button>
      )}
    </Dialog>
  );
}
