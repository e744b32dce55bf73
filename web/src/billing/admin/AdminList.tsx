import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PagedRows } from '../../ui/PagedRows.tsx';
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
  return (
    <PagedRows
      list={useAdminList(view, filter)}
      words={{
        failed: t('billingAdmin:loadFailed'),
        loading: t('billingAdmin:loading'),
        more: t('billingAdmin:more'),
      }}
      empty={<EmptyState icon={<Inbox />} title={t('billingAdmin:nothing')} />}
      className="flex flex-col gap-2"
      placeholder={{ className: '' }}
      moreButton={{ className: 'self-center' }}
    >
      {rows[view]}
    </PagedRows>
  );
}
