import { routes, type Conversation, type GroupMember, type Message } from '@nolo/api';
import { Ban, Flag, Link2, LogOut, Pencil, Settings2, UserPlus } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { call } from '../api/httpClient.ts';
import { Button, type ButtonProps } from '../ui/Button.tsx';
import { lazyOptional } from '../ui/lazyComponents.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { ConversationSettings } from '../chat/conversation/ConversationSettings.tsx';
import { ChatExportButton } from '../chat/chatExport/ChatExportButton.tsx';
import { SharedMedia } from '../chat/media/SharedMedia.tsx';
import { AddMembersDialog } from './AddMembersDialog.tsx';
import { EditGroupDialog } from './EditGroupDialog.tsx';
import { GroupBansDialog } from './GroupBansDialog.tsx';
import { GroupCard } from './GroupCard.tsx';
import { GroupCodeDialog } from './GroupCodeDialog.tsx';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { useUnapprovedMessageCount, useJoinRequestCount } from '../chat/context/groupScreenQueries.ts';
import { isAdminOrOwner, mayAddMembers } from './groupRights.ts';
import { GroupSettingsDialog } from './GroupSettingsDialog.tsx';
import { InvitedPeople } from './InvitedPeople.tsx';
import { JoinRequests } from './PendingDecisions.tsx';
import { LeaveGroupDialog } from './LeaveGroupDialog.tsx';
import { MemberList } from './MemberList.tsx';
import type { MemberAction } from './MemberRow.tsx';
import { useChangeByRoute } from './useChangeByRoute.ts';
import { UnapprovedMessages } from './UnapprovedMessages.tsx';
import { useGroupAction } from './useGroupAction.ts';
import { conversationName } from '../chat/words/conversationName.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { conversationTexts } from '../chat/words/conversationTexts.ts';
import { groupsTexts } from './groupsTexts.ts';

const EncryptionSection = lazyOptional(
  async () => (await import('../chat/sealed/EncryptionSection.tsx')).EncryptionSection,
);
const ReportDialog = lazyDialog(async () => (await import('../chat/conversation/ReportDialog.tsx')).ReportDialog);
const none: readonly Message[] = [];

type PlainDialog = 'add' | 'edit' | 'code' | 'settings' | 'bans' | 'leave' | 'report';
type OpenDialog = { kind: PlainDialog } | { kind: 'handOver' | 'remove' | 'ban'; member: GroupMember };

/** Details of a group: description, requests, members, shared media, settings, and leaving. */
export function GroupDetails({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(conversationTexts, groupsTexts);
  const { id, group, myRole } = conversation;
  const change = useChangeByRoute(id);
  const { run: setRole } = useGroupAction(
    id,
    ({ userId, role }: { userId: string; role: 'admin' | 'member'; name: string }) =>
      change([{ kind: 'role', userId, role: role === 'admin' ? 1 : 0 }], (epoch) =>
        call(routes.setGroupRole, { params: { id, userId }, body: { role, ...epoch } }),
      ),
    {
      failure: t('groups:details.changeFailed'),
      done: (_, { role, name }) =>
        t(role === 'admin' ? 'groups:confirm.madeAdmin' : 'groups:confirm.unmadeAdmin', { name }),
    },
  );
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  const mayDecide = isAdminOrOwner(myRole);
  const requests = useJoinRequestCount(conversation);
  const unapprovedCount = useUnapprovedMessageCount(conversation);

  const onAct = useCallback(
    (action: MemberAction, member: GroupMember) => {
      if (action !== 'makeAdmin' && action !== 'unmakeAdmin') return setDialog({ kind: action, member });
      const name = member.user?.displayName ?? t('chats.deletedAccount');
      void setRole({ userId: member.userId, role: action === 'makeAdmin' ? 'admin' : 'member', name });
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- setRole is another function each time and does the same
    [id, t],
  );

  const open = (kind: PlainDialog) => () => setDialog({ kind });
  return (
    <div className="flex flex-col gap-6 py-6">
      <GroupCard conversation={conversation} />
      {mayDecide && requests > 0 && <JoinRequests id={id} count={requests} />}
      {unapprovedCount > 0 && <UnapprovedMessages id={id} count={unapprovedCount} mayDecide={mayDecide} />}
      <div>
        <MemberList conversation={conversation} onAct={onAct} />
        <InvitedPeople conversation={conversation} />
        {mayAddMembers(myRole, group?.isPublic === true) && (
          <div className="px-3 pt-1">
            <Action icon={<UserPlus />} label={t('groups:details.addMembers')} onClick={open('add')} />
          </div>
        )}
      </div>
      <div className="px-5">
        <Suspense>
          <EncryptionSection conversation={conversation} />
        </Suspense>
      </div>
      <div className="px-5">
        <SharedMedia conversationId={id} />
      </div>
      <div className="flex flex-col gap-3 px-5">
        <ConversationSettings conversation={conversation} />
        <ChatExportButton conversation={conversation} />
      </div>
      {mayDecide && (
        <div className="flex flex-col px-3">
          <Action icon={<Link2 />} label={t('groups:details.roomCode')} onClick={open('code')} />
          <Action icon={<Pencil />} label={t('groups:details.editGroup')} onClick={open('edit')} />
          <Action icon={<Settings2 />} label={t('groups:details.settings')} onClick={open('settings')} />
          <Action icon={<Ban />} label={t('groups:bans.title')} onClick={open('bans')} />
        </div>
      )}
      <div className="px-3">
        <Action
          danger
          icon={<LogOut className="rtl:-scale-x-100" />}
          label={t('groups:details.leave')}
          onClick={open('leave')}
        />
        <Action danger icon={<Flag />} label={t('conversation:report')} onClick={open('report')} />
      </div>
      <Dialogs dialog={dialog} conversation={conversation} onClose={close} />
    </div>
  );
}

function Action({ label, danger = false, ...button }: ButtonProps & { label: string; danger?: boolean }) {
  return (
    <Button {...button} kind="quiet" wide className={`justify-start! px-2! ${danger ? 'text-danger-text!' : ''}`}>
      <span className="truncate">{label}</span>
    </Button>
  );
}

function Dialogs(props: { dialog: OpenDialog | null; conversation: Conversation; onClose: () => void }) {
  const { dialog, ...shared } = props;
  const { conversation, onClose } = shared;
  const { id, group } = conversation;
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'add':
      return <AddMembersDialog {...shared} />;
    case 'edit':
      return <EditGroupDialog {...shared} />;
    case 'bans':
      return <GroupBansDialog id={id} onClose={onClose} />;
    case 'report':
      return <GroupReport {...shared} />;
    case 'leave':
      return <LeaveGroupDialog {...shared} />;
    case 'code':
      return group && <GroupCodeDialog id={id} group={group} onClose={onClose} />;
    case 'settings':
      return group && <GroupSettingsDialog id={id} group={group} onClose={onClose} />;
    case 'handOver':
    case 'remove':
    case 'ban':
      return <ConfirmMemberActionDialog {...shared} {...dialog} />;
  }
}

/** Reports the group, with recent messages that the user selects. */
function GroupReport({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTexts();
  const { id } = conversation;
  const messages = useChatState((state) => state.timelines[id]?.messages ?? none);
  const userMessages = messages.filter(({ messageType }) => messageType !== 'system');
  const name = conversationName(conversation, t);
  return <ReportDialog kind="group" targetId={id} name={name} messages={userMessages} onClose={onClose} />;
}

interface ConfirmMemberActionDialogProps {
  kind: 'handOver' | 'remove' | 'ban';
  conversation: Conversation;
  member: GroupMember;
  onClose: () => void;
}

/** Asks before an action on a member that is hard to undo. */
function ConfirmMemberActionDialog({ kind, conversation, member, onClose }: ConfirmMemberActionDialogProps) {
  const { t } = useTexts(groupsTexts);
  const { id, group } = conversation;
  const { userId } = member;
  const { selfId } = useChat().engine.store.getState();
  const change = useChangeByRoute(id);
  const name = member.user?.displayName ?? t('chats.deletedAccount');
  const confirmations = {
    handOver: {
      title: t('groups:confirm.handOverTitle', { group: conversationName(conversation, t), name }),
      text: t('groups:confirm.handOverText'),
      confirmLabel: t('groups:confirm.handOver'),
      act: () =>
        change(
          [
            { kind: 'role', userId, role: 2 },
            { kind: 'role', userId: selfId, role: 1 },
          ],
          (epoch) => call(routes.handOverGroup, { params: { id }, body: { userId, ...epoch } }),
        ),
      done: t('groups:confirm.handedOver', { name }),
    },
    remove: {
      title: t('groups:confirm.removeTitle', { name }),
      text: t(group?.isPublic ? 'groups:confirm.removePublicText' : 'groups:confirm.removePrivateText'),
      confirmLabel: t('groups:confirm.remove'),
      act: () =>
        change([{ kind: 'remove', userId }], (body) =>
          call(routes.removeGroupMember, { params: { id, userId }, body }),
        ),
      done: t('groups:confirm.removed', { name }),
    },
    ban: {
      title: t('groups:confirm.banTitle', { name }),
      text: t('groups:confirm.banText'),
      confirmLabel: t('groups:confirm.ban'),
      act: () =>
        change([{ kind: 'remove', userId }], (body) => call(routes.banFromGroup, { params: { id, userId }, body })),
      done: t('groups:confirm.banned', { name }),
    },
  };
  const { act, done, ...words } = confirmations[kind];
  const failure = t('groups:details.changeFailed');
  const acting = useGroupAction(id, act, { failure, done: () => done, onDone: onClose });
  return <ConfirmDialog open {...words} danger={kind !== 'handOver'} onCancel={onClose} onConfirm={acting.run} />;
}
