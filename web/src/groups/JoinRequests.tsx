import type { JoinRequest } from '@nolo/api';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { CountBadge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useJoinRequests } from '../chat/context/groupQueries.ts';
import { useGroupActions } from './useGroupActions.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

/** Lists join requests for admins. */
export function JoinRequests({ id, count }: { id: string; count: number }) {
  const { t } = useGroupsWords();
  const heading = useId();
  const { data, isError, isFetching, refetch } = useJoinRequests(id);
  const body = () => {
    if (data === undefined) {
      if (!isError) return <SkeletonRows rows={Math.min(count, 3)} label={t('groups.requests.loading')} />;
      return (
        <ErrorState
          className="py-4!"
          title={t('groups.requests.failed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      );
    }
    if (data.items.length === 0) return <p className="px-4 pb-3 text-14 text-muted">{t('groups.requests.empty')}</p>;
    return (
      <ul className="max-h-80 overflow-y-auto">
        {data.items.map((request) => (
          <li key={request.userId}>
            <RequestRow groupId={id} request={request} />
          </li>
        ))}
      </ul>
    );
  };
  return (
    <section aria-labelledby={heading} className="mx-5 overflow-hidden rounded-card border border-line bg-raised">
      <h3 id={heading} className="flex items-center justify-between gap-3 px-4 pt-3 pb-1.5 text-14 font-semibold">
        {t('groups.requests.title')}
        <CountBadge count={count} label={String(count)} />
      </h3>
      {body()}
    </section>
  );
}

function RequestRow({ groupId, request }: { groupId: string; request: JoinRequest }) {
  const { t } = useGroupsWords();
  const locale = useLocale();
  const { decideRequest } = useGroupActions();
  const [busy, setBusy] = useState<'approve' | 'decline' | null>(null);
  const name = request.user?.displayName ?? t('chats.deletedAccount');
  const decide = async (approve: boolean) => {
    if (busy) return;
    setBusy(approve ? 'approve' : 'decline');
    await decideRequest(groupId, request.userId, approve, name);
    setBusy(null);
  };
  return (
    <div
      className="flex h-14 items-center gap-2.5 ps-4 pe-2"
      title={formatExactTime(Date.parse(request.requestedAt), locale)}
    >
      <Avatar name={name} imageUrl={request.user?.profileImageUrl} size={32} />
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 font-medium">
        {name}
      </span>
      <Button
        size="small"
        className="shrink-0"
        busy={busy === 'approve'}
        aria-label={t('groups.requests.approveNamed', { name })}
        onClick={() => void decide(true)}
      >
        {t('groups.requests.approve')}
      </Button>
      <IconButton
        size="small"
        label={t('groups.requests.declineNamed', { name })}
        icon={<X />}
        aria-busy={busy === 'decline' || undefined}
        onClick={() => void decide(false)}
      />
    </div>
  );
}
