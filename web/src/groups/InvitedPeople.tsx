import { routes, type Conversation, type InvitedPerson } from '@nolo/api';
import { X } from 'lucide-react';
import { useId } from 'react';
import { call } from '../api/httpClient.ts';
import { useInvitedPeople } from '../chat/context/groupScreenQueries.ts';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { isAdminOrOwner } from './groupRights.ts';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Lists people invited to the group who have not accepted. Empty if there are no invitations. */
export function InvitedPeople({ conversation: { id, myRole } }: { conversation: Conversation }) {
  const { t } = useTexts(groupsTexts);
  const heading = useId();
  const { data } = useInvitedPeople(id);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="pt-4">
      <h3 id={heading} className="px-5 pb-1.5 text-14 font-semibold">
        {t('groups:details.invited')}
      </h3>
      <ul aria-labelledby={heading} className="max-h-80 overflow-y-auto">
        {data.items.map((person) => (
          <li key={person.userId}>
            <InvitedRow groupId={id} person={person} mayWithdraw={isAdminOrOwner(myRole)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function InvitedRow(props: { groupId: string; person: InvitedPerson; mayWithdraw: boolean }) {
  const { groupId, person, mayWithdraw } = props;
  const { t } = useTexts(groupsTexts);
  const locale = useLocale();
  const name = person.user?.displayName ?? t('chats.deletedAccount');
  const { run, busy } = useGroupAction(
    groupId,
    () => call(routes.removeGroupMember, { params: { id: groupId, userId: person.userId } }),
    { failure: t('groups:details.changeFailed'), done: () => t('groups:details.withdrawn', { name }) },
  );
  return (
    <div
      className="flex h-14 items-center gap-3 ps-5 pe-2"
      title={formatExactTime(Date.parse(person.invitedAt), locale)}
    >
      <Avatar name={name} imageUrl={person.user?.profileImageUrl} />
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
        {name}
      </span>
      <Badge tone="neutral">{t('groups:details.isInvited')}</Badge>
      {mayWithdraw ? (
        <IconButton
          label={t('groups:details.withdrawNamed', { name })}
          icon={<X />}
          aria-busy={busy || undefined}
          onClick={() => busy || void run()}
        />
      ) : (
        <span className="size-10 shrink-0" />
      )}
    </div>
  );
}
