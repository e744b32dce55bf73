import type { Order } from '@nolo/api';
import { routes } from '@nolo/api';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { request } from '../api/request.ts';
import { saveFile } from '../device/saveFile.ts';
import { useLocale } from '../i18n/locale.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { Badge } from '../ui/Badge.tsx';
import type { BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useOrders } from './billingQueries.ts';
import { formatMoneyText } from './model/money.ts';
import { useBillingWords } from './useBillingWords.ts';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { useItemName } from './useItemName.ts';

const tones: Partial<Record<Order['state'], BadgeTone>> = { paid: 'accent', failed: 'danger', disputed: 'warning' };

/** Orders and payments, with receipts. */
export function InvoicesCard() {
  const { t } = useBillingWords();
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOrders();
  const orders = data?.pages.flatMap(({ items }) => items);
  return (
    <Card title={t('billing.invoices')}>
      {orders === undefined && isError ? (
        <ErrorState
          className="py-4!"
          title={t('billing.invoicesFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : orders === undefined ? (
        <Skeleton className="h-[1lh] w-2/5 text-14" />
      ) : orders.length === 0 ? (
        <p className="text-14 text-muted">{t('billing.noInvoices')}</p>
      ) : (
        <ul aria-label={t('billing.invoices')} className="flex flex-col divide-y divide-line">
          {orders.map((order) => (
            <Invoice key={order.id} order={order} />
          ))}
        </ul>
      )}
      {data !== undefined && isError && <p className="mt-3 text-13 text-danger-text">{t('billing.moreFailed')}</p>}
      {hasNextPage && (
        <Button
          kind="secondary"
          size="small"
          className="mt-3"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('billing.showMore')}
        </Button>
      )}
    </Card>
  );
}

function Invoice({ order }: { order: Order }) {
  const { t } = useBillingWords();
  const locale = useLocale();
  const date = useBillingDateFormatter();
  const itemName = useItemName()(order.item);
  const name = order.item === 'business' ? t('billing.seatsOf', { name: itemName, count: order.seats }) : itemName;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
      <div className="min-w-40 flex-1">
        <p className="text-14 font-medium">{name}</p>
        <p className="text-13 text-muted">
          <bdi>{date(order.paidAt ?? order.createdAt)}</bdi>
          {order.receiptNumber !== null && (
            <>
              {' · '}
              <bdi dir="ltr" className="whitespace-nowrap">
                {order.receiptNumber}
              </bdi>
            </>
          )}
        </p>
        {order.refundedMinor > 0 && (
          <p className="text-13 text-muted">
            {t('billing.refunded', { amount: formatMoneyText(order.refundedMinor, order.currency, locale) })}
          </p>
        )}
      </div>
      <Badge tone={tones[order.state] ?? 'neutral'}>{t(`billing.orderStates.${order.state}`)}</Badge>
      <p className="tabular text-14 font-medium">{formatMoneyText(order.amountMinor, order.currency, locale)}</p>
      {order.receiptNumber !== null && <Receipt order={order} number={order.receiptNumber} />}
    </li>
  );
}

function Receipt({ order, number }: { order: Order; number: string }) {
  const { t, i18n } = useBillingWords();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const path = routes.getReceipt.path.replace('{id}', encodeURIComponent(order.id));
      const reply = await request(path, { method: 'GET' });
      saveFile(await reply.blob(), `receipt-${number}.pdf`);
    } catch (error) {
      showFailure({ title: t('billing.receiptFailed'), description: explainFailure(i18n, error) });
    }
    setBusy(false);
  };
  return (
    <Button
      kind="secondary"
      size="small"
      className="ms-auto"
      icon={<Download />}
      busy={busy}
      aria-label={t('billing.receiptNamed', { number })}
      onClick={() => void save()}
    >
      {t('billing.receipt')}
    </Button>
  );
}
