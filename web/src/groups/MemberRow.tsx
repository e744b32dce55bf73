import type { GroupMember } from '@nolo/api';
import type { MemberRole } from '@nolo/rules';
import { Ban, Crown, EllipsisVertical, MessageCircle, ShieldMinus, ShieldPlus, UserMinus } from 'lucide-react';
import { memo } from 'react';
import { useNavigate } from 'react-router-dom';
import { usePresence } from '../chat/context/chatContext.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { DropdownMenu, MenuItems } from '../ui/DropdownMenu.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { computeRightsOverMember } from './groupRights.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

export type MemberAction = 'makeAdmin' | 'unmakeAdmin' | 'handOver' | 'remove' | 'ban';

export interface MemberRowProps {
  member: GroupMember;
  ownRole: MemberRole;
  isSelf: boolean;
  onAct: (action: MemberAction, member: GroupMember) => void;
}

export const MemberRow = memo(function MemberRow({ member, ownRole, isSelf, onAct }: MemberRowProps) {
  const { t } = useTexts(groupsTexts);
  const { user, role } = member;
  const { presenceStatus } = usePresence(user);
  const name = isSelf ? t('common.you') : (user?.displayName ?? t('chats.deletedAccount'));
  return (
    <div className="flex h-14 items-center gap-3 ps-5 pe-2">
      <Avatar
        name={user?.displayName ?? name}
        imageUrl={user?.profileImageUrl}
        presence={(user?.isContact && presenceStatus) || undefined}
      />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-ui-start text-15 font-medium">
          {name}
        </span>
        {user !== null && user.statusMessage !== '' && (
          <span dir="auto" className="block truncate text-ui-start text-13 text-muted">
            {user.statusMessage}
          </span>
        )}
      </span>
      {role !== 'member' && (
        <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>
          {t(role === 'owner' ? 'groups:details.owner' : 'groups:details.admin')}
        </Badge>
      )}
      {isSelf ? (
        <span className="size-10 shrink-0" />
      ) : (
        <MemberMenu name={name} member={member} ownRole={ownRole} onAct={onAct} />
      )}
    </div>
  );
});

function MemberMenu({ name, member, ownRole, onAct }: Omit<MemberRowProps, 'isSelf'> & { name: string }) {
  const { t } = useTexts(groupsTexts);
  const navigate = useNavigate();
  const { user, userId, role } = member;
  const rights = computeRightsOverMember(ownRole, role, false);
  const act = (action: MemberAction) => () => onAct(action, member);
  if (user === null && !rights.remove) return <span className="size-10 shrink-0" />;
  return (
    <DropdownMenu
      trigger={<IconButton plain label={t('groups:details.actionsFor', { name })} icon={<EllipsisVertical />} />}
    >
      <MenuItems
        entries={[
          user !== null && {
            icon: <MessageCircle />,
            label: t('groups:details.message'),
            onSelect: () => void navigate(`/chat/${userId}`),
          },
          rights.makeAdmin && {
            icon: <ShieldPlus />,
            label: t('groups:details.makeAdmin'),
            onSelect: act('makeAdmin'),
          },
          rights.unmakeAdmin && {
            icon: <ShieldMinus />,
            label: t('groups:details.unmakeAdmin'),
            onSelect: act('unmakeAdmin'),
          },
          rights.handOver &&
            user !== null && { icon: <Crown />, label: t('groups:details.handOver'), onSelect: act('handOver') },
          rights.remove && 'line',
          rights.remove && {
            danger: true,
            icon: <UserMinus />,
            label: t('groups:details.remove'),
            onSelect: act('remove'),
          },
          rights.remove && { danger: true, icon: <Ban />, label: t('groups:details.ban'), onSelect: act('ban') },
        ]}
      />
    </DropdownMenu>
  );
}
