import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChatState } from '../chat/context/chatContext.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { classNames } from '../ui/classNames.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { groupPath } from './groupAddress.ts';
import { useGroupDialogs } from './GroupButtons.tsx';
import type { GroupChatListing, ListedGroup } from '../chat/context/groupScreenQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Groups shown before expanding, because the meetings below are the purpose of the screen. */
const shownAtFirst = 4;
/** Height of the two or three lines of the empty state. */
const emptyHeight = 'min-h-24 @[22rem]:min-h-18.5';

/** Lists the user's group chats on the meetings screen, with a button for a new one. */
export function GroupChatsSection({ listing }: { listing: GroupChatListing }) {
  const { t } = useTexts(groupTexts, groupsTexts);
  const heading = useId();
  const { open, dialogs } = useGroupDialogs('desktop');
  const [all, setAll] = useState(false);
  const offline = useChatState((state) => state.connection !== 'open');
  /** Expected number of cards, from the chats on this device. */
  const known = useChatState(({ conversations }) =>
    Math.min(Object.values(conversations).filter(({ type }) => type === 'group').length, shownAtFirst),
  );
  const { groups } = listing;
  const shown = all ? groups : groups?.slice(0, shownAtFirst);
  const hidden = (groups?.length ?? 0) - (shown?.length ?? 0);

  const body = () => {
    if (shown === undefined) {
      if (!listing.failed) {
        return (
          <div role="status" aria-label={t('groups:list.loading')} className="grid gap-2 @[30rem]:grid-cols-2">
            {known === 0 && <Skeleton className={classNames(emptyHeight, '@[30rem]:col-span-2 rounded-card!')} />}
            {Array.from({ length: known }, (_, card) => (
              <Skeleton key={card} className="h-16 rounded-card!" />
            ))}
          </div>
        );
      }
      return (
        <ErrorState
          className="py-4!"
          title={t('groups:list.failed')}
          {...(offline && { description: t('groups:admission.offline') })}
          retrying={listing.fetching}
          onRetry={listing.retry}
        />
      );
    }
    if (shown.length === 0) {
      return (
        <p
          className={classNames(
            emptyHeight,
            'rounded-card border border-dashed border-line-strong px-4 py-4 text-14 text-muted',
          )}
        >
          <span className="block font-medium text-ink">{t('groups:list.empty')}</span>
          {t('groups:list.emptyText')}
        </p>
      );
    }
    return (
      <ul aria-labelledby={heading} className="grid gap-2 @[30rem]:grid-cols-2">
        {shown.map((group) => (
          <li key={group.id} className="min-w-0">
            <GroupCard group={group} />
          </li>
        ))}
      </ul>
    );
  };
  return (
    <section aria-labelledby={heading} className="@container flex flex-col gap-2">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 id={heading} className="truncate text-16 font-semibold">
          {t('groups:list.title')}
        </h2>
        <Button
          kind="secondary"
          size="small"
          icon={<Plus aria-hidden="true" className="hidden @[18rem]:block" />}
          aria-label={t('group:newGroup')}
          onClick={() => open({ kind: 'choose' })}
        >
          {t('groups:list.new')}
        </Button>
      </div>
      {body()}
      {(hidden > 0 || (all && !listing.complete)) && (
        <Button
          kind="quiet"
          size="small"
          className="self-center"
          busy={all && listing.fetching}
          onClick={() => (all ? listing.more() : setAll(true))}
        >
          {t('groups:list.more')}
        </Button>
      )}
      {dialogs}
    </section>
  );
}

function GroupCard({ group }: { group: ListedGroup }) {
  const { t } = useTexts(groupTexts);
  const { id, name, pictureUrl, memberCount } = group;
  const unread = useChatState((state) => state.conversations[id]?.unreadCount ?? group.unreadCount);
  return (
    <Link
      to={groupPath(id)}
      className="flex min-h-16 items-center gap-3 rounded-card border border-line bg-raised px-3 py-2 transition-colors duration-150 hover:bg-hover active:bg-pressed"
    >
      <Avatar name={name} imageUrl={pictureUrl} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
          {name}
        </span>
        <span className="tabular block truncate text-13 text-muted">{t('group:members', { count: memberCount })}</span>
      </span>
      <CountBadge count={unread} label={t('chats.unread', { count: unread })} />
    </Link>
  );
}
