import { routes, type Conversation, type GroupMember } from '@nolo/api';
import { call } from '../api/httpClient.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { conversationName } from '../chat/words/conversationName.ts';
import { useGroupAction } from './useGroupAction.ts';
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
  const { id, group } = conversation;
  const { userId } = member;
  const name = member.user?.displayName ?? t('chats.deletedAccount');
  const confirmations = {
    handOver: {
      title: t('groups.confirm.handOverTitle', { group: conversationName(conversation, t), name }),
      text: t('groups.confirm.handOverText'),
      confirmLabel: t('groups.confirm.handOver'),
      act: () => call(routes.handOverGroup, { params: { id }, body: { userId } }),
      done: t('groups.confirm.handedOver', { name }),
    },
    remove: {
      title: t('groups.confirm.removeTitle', { name }),
      text: t(group?.isPublic ? 'groups.confirm.removePublicText' : 'groups.confirm.removePrivateText'),
      confirmLabel: t('groups.confirm.remove'),
      act: () => call(routes.removeGroupMember, { params: { id, userId } }),
      done: t('groups.confirm.removed', { name }),
    },
    ban: {
      title: t('groups.confirm.banTitle', { name }),
      text: t('groups.confirm.banText'),
      confirmLabel: t('groups.confirm.ban'),
      act: () => call(routes.banFromGroup, { params: { id, userId } }),
      done: t('groups.confirm.banned', { name }),
    },
  };
  const { act, done, ...words } = confirmations[kind];
  const acting = useGroupAction(id, act, { failure: t('groups.details.changeFailed'), done: () => done });
  return (
    <ConfirmDialog
      open
      {...words}
      danger={kind !== 'handOver'}
      onCancel={onClose}
      onConfirm={async () => {
        if (await acting.run()) onClose();
      }}
    />
  );
}
