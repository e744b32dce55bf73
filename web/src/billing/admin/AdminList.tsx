import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { Inbox } from 'lucide-react';
import { useAdminList, type BillingAdminFilter, type BillingAdminRow, type BillingAdminView } from './adminQueries.ts';
import { AuditRow, NotificationRow, OrderRow, SubscriptionRow } from './adminRows.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { billingAdminTexts } from './billingAdminTexts.ts';

const rows: { [V in BillingAdminView]: (row: BillingAdminRow<V>) => ReactNode } = {
  orders: (order) => <OrderRow key={order.id} order={order} />,
  subscriptions: (one) => <SubscriptionRow key={one.userId} {...one} />,
  notifications: (one) => <NotificationRow key={one.id} notification={one} />,
  audit: (one) => <AuditRow key={one.id} record={one} />,
};

interface AdminListProps<V extends BillingAdminView> {
  view: V;
  filter: BillingAdminFilter;
}

/** Rows of one operator list. */
export function AdminList<V extends BillingAdminView>({ view, filter }: AdminListProps<V>) {
  const { t } = useTexts(billingAdminTexts);
  const list = useAdminList(view, filter);
  const items = list.data?.pages.flatMap((page) => page.items);
  if (items === undefined) {
    return (
      <QueryPlaceholder
        className=""
        query={list}
        failed={t('billingAdmin:loadFailed')}
        loading={t('billingAdmin:loading')}
      />
    );
  }
  if (items.length === 0) return <EmptyState icon={<Inbox />} title={t('billingAdmin:nothing')} />;
  const toRow = rows[view];
  return (
    <>
      <ul className="flex flex-col gap-2">{items.map((item) => toRow(item))}</ul>
      <MoreButton list={list} className="self-center">
        {t('billingAdmin:more')}
      </MoreButton>
    </>
  );
}
