import type { Conversation, GroupMember } from '@nolo/api';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { conversationName } from '../chat/words/conversationName.ts';
import { useGroupActions } from './useGroupActions.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

export interface ConfirmMemberActionDialogProps {
  kind: 'handOver' | 'remove' | 'ban';
  conversation: Conversation;
  member: GroupMember;
  onClose: () => void;
}

/** Asks before an action on a member that is hard to undo. */
export function ConfirmMemberActionDialog({ kind, conversation, member, onClose }: ConfirmMemberActionDialogProps) {
  const { t } = useGroupsWords();
  const { handOver, removeMember, ban } = useGroupActions();
  const { id, group } = conversation;
  const name = member.user?.displayName ?? t('chats.deletedAccount');
  const confirmations = {
    handOver: {
      title: t('groups.confirm.handOverTitle', { group: conversationName(conversation, t), name }),
      text: t('groups.confirm.handOverText'),
      confirmLabel: t('groups.confirm.handOver'),
      act: () => handOver(id, member.userId, name),
    },
    remove: {
      title: t('groups.confirm.removeTitle', { name }),
      text: t(group?.isPublic ? 'groups.confirm.removePublicText' : 'groups.confirm.removePrivateText'),
      confirmLabel: t('groups.confirm.remove'),
      act: () => removeMember(id, member.userId, name),
    },
    ban: {
      title: t('groups.confirm.banTitle', { name }),
      text: t('groups.confirm.banText'),
      confirmLabel: t('groups.confirm.ban'),
      act: () => ban(id, member.userId, name),
    },
  };
  const { title, text, confirmLabel, act } = confirmations[kind];
  return (
    <ConfirmDialog
      open
      danger={kind !== 'handOver'}
      onCancel={onClose}
      title={title}
      text={text}
      confirmLabel={confirmLabel}
      onConfirm={async () => {
        if (await act()) onClose();
      }}
    />
  );
}
