import type { Conversation, InvitedPerson } from '@nolo/api';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useInvitedPeople } from '../chat/context/groupQueries.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { isAdminOrOwner } from './groupRights.ts';
import { useGroupActions } from './useGroupActions.ts';

/** Lists people invited to the group who have not accepted. Empty if there are no invitations. */
export function InvitedPeople({ conversation: { id, myRole } }: { conversation: Conversation }) {
  const { t } = useGroupsWords();
  const heading = useId();
  const { data } = useInvitedPeople(id);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="pt-4">
      <h3 id={heading} className="px-5 pb-1.5 text-14 font-semibold">
        {t('groups.details.invited')}
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

interface InvitedRowProps {
  groupId: string;
  person: InvitedPerson;
  mayWithdraw: boolean;
}

function InvitedRow({ groupId, person, mayWithdraw }: InvitedRowProps) {
  const { t } = useGroupsWords();
  const locale = useLocale();
  const { withdrawInvitation } = useGroupActions();
  const [busy, setBusy] = useState(false);
  const name = person.user?.displayName ?? t('chats.deletedAccount');
  const withdraw = async () => {
    if (busy) return;
    setBusy(true);
    await withdrawInvitation(groupId, person.userId, name);
    setBusy(false);
  };
  return (
    <div
      className="flex h-14 items-center gap-3 ps-5 pe-2"
      title={formatExactTime(Date.parse(person.invitedAt), locale)}
    >
      <Avatar name={name} imageUrl={person.user?.profileImageUrl} />
      <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
        {name}
      </span>
      <Badge tone="neutral">{t('groups.details.isInvited')}</Badge>
      {mayWithdraw ? (
        <IconButton
          label={t('groups.details.withdrawNamed', { name })}
          icon={<X />}
          aria-busy={busy || undefined}
          onClick={() => void withdraw()}
        />
      ) : (
        <span className="size-10 shrink-0" />
      )}
    </div>
  );
}
