import { routes, type Webhook, type WebhookDelivery } from '@nolo/api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { pagesQuery } from '../../api/usePages.ts';
import { getDateFormat } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { PagedRows } from '../../ui/PagedRows.tsx';
import { useAction } from '../../ui/useAction.ts';
import { webhooksKey } from './CreateWebhookDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { webhooksTexts } from './webhooksTexts.ts';

export const deliveriesKey = ['webhookDeliveries'];

/** Milliseconds between polls while a delivery is in progress. */
const refetchIntervalMs = 3_000;
const isUnderWay = ({ state }: WebhookDelivery) => state === 'waiting' || state === 'sending';

/** Lists sent and pending deliveries of a webhook with their responses, and resends them. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTexts(webhooksTexts);
  const locale = useLocale();
  const queryKey = [...deliveriesKey, webhook.id];
  const list = useInfiniteQuery({
    ...pagesQuery(routes.listWebhookDeliveries, { queryKey, params: { id: webhook.id } }),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items.some(isUnderWay) === true ? refetchIntervalMs : false),
  });
  const resend = useAction(routes.resendWebhookDelivery, {
    invalidates: [webhooksKey, queryKey],
    failure: t('webhooks:changeFailed'),
  });
  const time = (at: string) =>
    getDateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(Date.parse(at));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('webhooks:list.title')}
      description={t('webhooks:list.text')}
    >
      <PagedRows
        list={list}
        words={{
          failed: t('webhooks:list.loadFailed'),
          loading: t('webhooks:list.title'),
          more: t('webhooks:list.more'),
        }}
        empty={<p className="py-4 text-14 text-muted">{t('webhooks:list.empty')}</p>}
        className="flex flex-col divide-y divide-line"
        moreButton={{ size: 'small' }}
      >
        {({ id, type, state, responseStatus, createdAt }) => (
          <li key={id} className="flex items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14">
                <code dir="ltr">{type}</code>
                <Badge tone={state === 'failed' ? 'danger' : state === 'delivered' ? 'accent' : 'neutral'}>
                  {t(`webhooks:list.${state}`)}
                </Badge>
              </p>
              <p className="text-13 text-muted">
                {[
                  time(createdAt),
                  ...(responseStatus === null ? [] : [t('webhooks:list.answered', { status: responseStatus })]),
                ].join(' · ')}
              </p>
            </div>
            {state !== 'sending' && (
              <IconButton
                label={t('webhooks:list.resend', { type })}
                icon={<RotateCw />}
                onClick={() => void resend.run({ params: { id: webhook.id, deliveryId: id } })}
              />
            )}
          </li>
        )}
      </PagedRows>
    </Dialog>
  );
}
