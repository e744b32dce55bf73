import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { Inbox } from 'lucide-react';
import type { BillingAdminFilter, BillingAdminView } from './adminQueries.ts';
import { useAdminList } from './adminQueries.ts';
import { AuditRow, NotificationRow, OrderRow, SubscriptionRow } from './adminRows.tsx';
import { useAdminWords } from './useAdminWords.ts';

/** Rows of one operator list. */
export function AdminList({ view, filter }: { view: BillingAdminView; filter: BillingAdminFilter }) {
  switch (view) {
    case 'orders':
      return <Orders filter={filter} />;
    case 'subscriptions':
      return <Subscriptions filter={filter} />;
    case 'notifications':
      return <Notifications filter={filter} />;
    case 'audit':
      return <Audit filter={filter} />;
  }
}

interface ListProps {
  filter: BillingAdminFilter;
}

function Orders({ filter }: ListProps) {
  const list = useAdminList('orders', filter);
  const rows = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Rows
      {...list}
      rows={rows?.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    />
  );
}

function Subscriptions({ filter }: ListProps) {
  const list = useAdminList('subscriptions', filter);
  const rows = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Rows
      {...list}
      rows={rows?.map((one) => (
        <SubscriptionRow key={one.userId} {...one} />
      ))}
    />
  );
}

function Notifications({ filter }: ListProps) {
  const list = useAdminList('notifications', filter);
  const rows = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Rows
      {...list}
      rows={rows?.map((one) => (
        <NotificationRow key={one.id} notification={one} />
      ))}
    />
  );
}

function Audit({ filter }: ListProps) {
  const list = useAdminList('audit', filter);
  const rows = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Rows
      {...list}
      rows={rows?.map((one) => (
        <AuditRow key={one.id} record={one} />
      ))}
    />
  );
}

interface RowsProps {
  /** Undefined until the first answer. */
  rows: ReactNode[] | undefined;
  isError: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

function Rows({ rows, isError, isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage }: RowsProps) {
  const { t } = useAdminWords();
  if (rows === undefined) {
    return isError ? (
      <ErrorState title={t('billingAdmin.loadFailed')} retrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows label={t('billingAdmin.loading')} />
    );
  }
  if (rows.length === 0) return <EmptyState icon={<Inbox />} title={t('billingAdmin.nothing')} />;
  return (
    <>
      <ul className="flex flex-col gap-2">{rows}</ul>
      {hasNextPage && (
        <Button kind="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('billingAdmin.more')}
        </Button>
      )}
    </>
  );
}
