import { routes, type Order } from '@nolo/api';
import { Download } from 'lucide-react';
import { request } from '../api/request.ts';
import { usePages } from '../api/usePages.ts';
import { saveFile } from '../device/saveFile.ts';
import { useLocale } from '../i18n/locale.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { PagedRows } from '../ui/PagedRows.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useAction } from '../ui/useAction.ts';
import { billingQueryKey } from './billingQueries.ts';
import { formatMoneyText } from './model/money.ts';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { useItemName } from './useItemName.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

const tones: Partial<Record<Order['state'], BadgeTone>> = { paid: 'accent', failed: 'danger', disputed: 'warning' };

const ordersPerPage = 10;

/** Orders and payments, with receipts. */
export function InvoicesCard() {
  const { t } = useTexts(billingTexts);
  const list = usePages(routes.listOrders, {
    queryKey: [...billingQueryKey, 'orders'],
    query: { limit: ordersPerPage },
  });
  return (
    <Card title={t('billing:invoices')}>
      <PagedRows
        list={list}
        words={{
          failed: t('billing:invoicesFailed'),
          more: t('billing:showMore'),
          moreFailed: t('billing:moreFailed'),
        }}
        empty={<p className="text-14 text-muted">{t('billing:noInvoices')}</p>}
        label={t('billing:invoices')}
        className="flex flex-col divide-y divide-line"
        placeholder={{ children: <Skeleton className="h-[1lh] w-2/5 text-14" /> }}
        moreButton={{ size: 'small', className: 'mt-3' }}
      >
        {(order) => <Invoice key={order.id} order={order} />}
      </PagedRows>
    </Card>
  );
}

function Invoice({ order }: { order: Order }) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  const date = useBillingDateFormatter();
  const itemName = useItemName()(order.item);
  const name = order.item === 'business' ? t('billing:seatsOf', { name: itemName, count: order.seats }) : itemName;
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
            {t('billing:refunded', { amount: formatMoneyText(order.refundedMinor, order.currency, locale) })}
          </p>
        )}
      </div>
      <Badge tone={tones[order.state] ?? 'neutral'}>{t(`billing:orderStates.${order.state}`)}</Badge>
      <p className="tabular text-14 font-medium">{formatMoneyText(order.amountMinor, order.currency, locale)}</p>
      {order.receiptNumber !== null && <Receipt order={order} number={order.receiptNumber} />}
    </li>
  );
}

function Receipt({ order, number }: { order: Order; number: string }) {
  const { t } = useTexts(billingTexts);
  const save = useAction(
    async () => {
      const path = routes.getReceipt.path.replace('{id}', encodeURIComponent(order.id));
      const reply = await request(path, { method: 'GET' });
      saveFile(await reply.blob(), `receipt-${number}.pdf`);
    },
    { failure: t('billing:receiptFailed') },
  );
  return (
    <Button
      kind="secondary"
      size="small"
      className="ms-auto"
      icon={<Download />}
      busy={save.busy}
      aria-label={t('billing:receiptNamed', { number })}
      onClick={() => void save.run()}
    >
      {t('billing:receipt')}
    </Button>
  );
}
