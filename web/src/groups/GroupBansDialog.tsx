import { routes, type Ban } from '@nolo/api';
import { call } from '../api/httpClient.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { PagedRows } from '../ui/PagedRows.tsx';
import { useGroupBans } from '../chat/context/groupScreenQueries.ts';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from '../people/contactsTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

export function GroupBansDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTexts(contactsTexts, groupsTexts);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t('groups:bans.title')}>
      <div className="min-h-32">
        <PagedRows
          list={useGroupBans(id)}
          words={{ failed: t('groups:bans.failed'), loading: t('groups:bans.loading'), more: t('contacts:showMore') }}
          empty={<p className="py-8 text-center text-14 text-muted">{t('groups:bans.empty')}</p>}
          placeholder={{ rows: 2, className: '' }}
          moreButton={{ kind: 'quiet', size: 'small', className: 'mx-auto mt-2 flex!' }}
        >
          {(ban) => (
            <li key={ban.userId}>
              <BanRow groupId={id} ban={ban} />
            </li>
          )}
        </PagedRows>
      </div>
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
