import { routes, type Ban } from '@nolo/api';
import { call } from '../api/httpClient.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useGroupBans } from '../chat/context/groupScreenQueries.ts';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from '../people/contactsTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

export function GroupBansDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTexts(contactsTexts, groupsTexts);
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage } = useGroupBans(id);
  const bans = data?.pages.flatMap(({ items }) => items);
  const body = () => {
    if (bans === undefined) {
      if (!isError) return <SkeletonRows rows={2} label={t('groups:bans.loading')} />;
      return <ErrorState title={t('groups:bans.failed')} retrying={isFetching} onRetry={() => void refetch()} />;
    }
    if (bans.length === 0) return <p className="py-8 text-center text-14 text-muted">{t('groups:bans.empty')}</p>;
    return (
      <ul>
        {bans.map((ban) => (
          <li key={ban.userId}>
            <BanRow groupId={id} ban={ban} />
          </li>
        ))}
        {hasNextPage && (
          <li className="flex justify-center pt-2">
            <Button kind="quiet" size="small" busy={isFetching} onClick={() => void fetchNextPage()}>
              {t('contacts:showMore')}
            </Button>
          </li>
        )}
      </ul>
    );
  };
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t('groups:bans.title')}>
      <div className="min-h-32">{body()}</div>
    </Dialog>
  );
}

function BanRow({ groupId, ban }: { groupId: string; ban: Ban }) {
  const { t } = useTexts(groupsTexts);
  const name = ban.user?.displayName ?? t('chats.deletedAccount');
  const lifting = useGroupAction(
    groupId,
    () => call(routes.unbanFromGroup, { params: { id: groupId, userId: ban.userId } }),
    { failure: t('groups:bans.liftFailed'), done: () => t('groups:bans.lifted', { name }) },
  );
  return (
    <div className="flex h-14 items-center gap-3">
      <Avatar name={name} imageUrl={ban.user?.profileImageUrl} />
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
        {name}
      </span>
      <Button
        kind="secondary"
        size="small"
        busy={lifting.busy}
        aria-label={t('groups:bans.liftNamed', { name })}
        onClick={() => void lifting.run()}
      >
        {t('groups:bans.lift')}
      </Button>
    </div>
  );
}
