import { routes, type JoinRequest } from '@nolo/api';
import { X } from 'lucide-react';
import { useId, type Key, type ReactNode } from 'react';
import { call } from '../api/httpClient.ts';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { CountBadge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useJoinRequests } from '../chat/context/groupScreenQueries.ts';
import { useChangeByRoute } from './useChangeByRoute.ts';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

export interface DecisionsProps {
  id: string;
  count: number;
}

/** Lists join requests for admins. */
export function JoinRequests({ id, count }: DecisionsProps) {
  const { t } = useTexts(groupsTexts);
  return (
    <DecisionCard
      title={t('groups:requests.title')}
      count={count}
      loading={<SkeletonRows rows={Math.min(count, 3)} label={t('groups:requests.loading')} />}
      failed={t('groups:requests.failed')}
      empty={t('groups:requests.empty')}
      listClassName="max-h-80"
      query={useJoinRequests(id)}
      keyOf={({ userId }) => userId}
      row={(request) => <RequestRow groupId={id} request={request} />}
    />
  );
}

interface DecisionCardProps<Item> {
  title: string;
  count: number;
  loading: ReactNode;
  failed: string;
  empty: string;
  listClassName: string;
  query: {
    data?: { items: readonly Item[] } | undefined;
    isError: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
  keyOf: (item: Item) => Key;
  row: (item: Item) => ReactNode;
}

/** Card that lists what admins decide. */
export function DecisionCard<Item>({ title, count, query, keyOf, row, ...texts }: DecisionCardProps<Item>) {
  const heading = useId();
  const { data, isError, isFetching, refetch } = query;
  const body = () => {
    if (data === undefined) {
      if (!isError) return texts.loading;
      return <ErrorState className="py-4!" title={texts.failed} retrying={isFetching} onRetry={() => void refetch()} />;
    }
    if (data.items.length === 0) return <p className="px-4 pb-3 text-14 text-muted">{texts.empty}</p>;
    return (
      <ul className={`overflow-y-auto ${texts.listClassName}`}>
        {data.items.map((item) => (
          <li key={keyOf(item)}>{row(item)}</li>
        ))}
      </ul>
    );
  };
  return (
    <section aria-labelledby={heading} className="mx-5 overflow-hidden rounded-card border border-line bg-raised">
      <h3 id={heading} className="flex items-center justify-between gap-3 px-4 pt-3 pb-1.5 text-14 font-semibold">
        {title}
        <CountBadge count={count} label={String(count)} />
      </h3>
      {body()}
    </section>
  );
}

function RequestRow({ groupId, request: { userId, user, requestedAt } }: { groupId: string; request: JoinRequest }) {
  const { t } = useTexts(groupsTexts);
  const locale = useLocale();
  const name = user?.displayName ?? t('chats.deletedAccount');
  const change = useChangeByRoute(groupId);
  const { run, busy, running } = useGroupAction(
    groupId,
    (approve: boolean) => {
      const decide = (epoch = {}) =>
        call(routes.decideJoinRequest, { params: { id: groupId, userId }, body: { approve, ...epoch } });
      return approve ? change([{ kind: 'add', userId }], decide) : decide();
    },
    {
      failure: t('groups:requests.decideFailed'),
      done: (_, approve) => t(approve ? 'groups:requests.approved' : 'groups:requests.declined', { name }),
    },
  );
  return (
    <div className="flex h-14 items-center gap-2.5 ps-4 pe-2" title={formatExactTime(Date.parse(requestedAt), locale)}>
      <Avatar name={name} imageUrl={user?.profileImageUrl} size={32} />
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 font-medium">
        {name}
      </span>
      <Button
        size="small"
        className="shrink-0"
        busy={running === true}
        aria-label={t('groups:requests.approveNamed', { name })}
        onClick={() => busy || void run(true)}
      >
        {t('groups:requests.approve')}
      </Button>
      <IconButton
        size="small"
        label={t('groups:requests.declineNamed', { name })}
        icon={<X />}
        aria-busy={running === false || undefined}
        onClick={() => busy || void run(false)}
      />
    </div>
  );
}
