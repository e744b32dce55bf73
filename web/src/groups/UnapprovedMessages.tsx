import type { UnapprovedMessage } from '@nolo/api';
import { Check, X } from 'lucide-react';
import { useId, useState } from 'react';
import { formatClockTime, formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { CountBadge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { summarizeUnapproved } from './summarizeUnapproved.ts';
import { useUnapprovedMessages } from '../chat/context/groupQueries.ts';
import { useGroupActions } from './useGroupActions.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

/** Messages of new members that are pending approval by an admin (decision 16). */
export function UnapprovedMessages({ id, count }: { id: string; count: number }) {
  const { t } = useGroupsWords();
  const heading = useId();
  const { data, isError, isFetching, refetch } = useUnapprovedMessages(id, true);
  const body = () => {
    if (data === undefined) {
      if (!isError) return <SkeletonRows rows={Math.min(count, 2)} label={t('groups.held.loading')} />;
      return (
        <ErrorState
          className="py-4!"
          title={t('groups.held.failed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      );
    }
    if (data.items.length === 0) return <p className="px-4 pb-3 text-14 text-muted">{t('groups.held.empty')}</p>;
    return (
      <ul className="max-h-96 divide-y divide-line overflow-y-auto">
        {data.items.map((message) => (
          <li key={message.id}>
            <UnapprovedRow message={message} />
          </li>
        ))}
      </ul>
    );
  };
  return (
    <section aria-labelledby={heading} className="mx-5 overflow-hidden rounded-card border border-line bg-raised">
      <h3 id={heading} className="flex items-center justify-between gap-3 px-4 pt-3 pb-1.5 text-14 font-semibold">
        {t('groups.held.title')}
        <CountBadge count={count} label={String(count)} />
      </h3>
      {body()}
    </section>
  );
}

function UnapprovedRow({ message }: { message: UnapprovedMessage }) {
  const { t } = useGroupsWords();
  const locale = useLocale();
  const { decideUnapproved } = useGroupActions();
  const [busy, setBusy] = useState<'approve' | 'decline' | null>(null);
  const name = message.sender?.displayName ?? t('chats.deletedAccount');
  const at = Date.parse(message.createdAt);
  const decide = async (approve: boolean) => {
    if (busy) return;
    setBusy(approve ? 'approve' : 'decline');
    await decideUnapproved(message.conversationId, message.id, approve);
    setBusy(null);
  };
  return (
    <div className="px-4 py-3">
      <p className="flex items-center gap-2 text-13 text-muted">
        <Avatar name={name} imageUrl={message.sender?.profileImageUrl} size={24} />
        <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start font-medium text-ink">
          {name}
        </span>
        <time dateTime={message.createdAt} title={formatExactTime(at, locale)} className="tabular">
          {formatClockTime(at, locale)}
        </time>
      </p>
      {/* Plain text, so that links in messages pending approval cannot be pressed. */}
      <p dir="auto" className="mt-1.5 line-clamp-6 text-14 wrap-anywhere whitespace-pre-wrap">
        {message.content || summarizeUnapproved(message, t)}
      </p>
      {message.fileName !== null && message.content !== '' && (
        <p dir="auto" className="mt-1 truncate text-13 text-muted">
          {message.fileName}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<Check aria-hidden="true" />}
          busy={busy === 'approve'}
          aria-label={t('groups.held.approveNamed', { name })}
          onClick={() => void decide(true)}
        >
          {t('groups.held.approve')}
        </Button>
        <Button
          kind="secondary"
          size="small"
          icon={<X aria-hidden="true" />}
          busy={busy === 'decline'}
          aria-label={t('groups.held.declineNamed', { name })}
          onClick={() => void decide(false)}
        >
          {t('groups.held.decline')}
        </Button>
      </div>
    </div>
  );
}
