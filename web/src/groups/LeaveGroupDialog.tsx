import { routes, type Conversation } from '@nolo/api';
import { signLeave } from '@nolo/client/chat/sealedDecisions';
import { useLocation, useNavigate } from 'react-router-dom';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { conversationName } from '../chat/words/conversationName.ts';
import { groupPath } from './groupAddress.ts';
import { useAction } from '../ui/useAction.ts';
import { toast } from '../ui/toasts.ts';
import { useGroupFailureWords } from '../chat/groupCalls/useGroupFailureWords.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

/** Asks before leaving, and shows the successor if the user owns the group. */
export function LeaveGroupDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTexts(groupsTexts);
  const { engine } = useChat();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { id, memberCount, myRole } = conversation;
  const name = conversationName(conversation, t);
  const words = useGroupFailureWords();
  // The group's lists are not refetched, because the user no longer sees them.
  const leave = async () => {
    const signed = await signLeave(engine, id);
    return call(routes.leaveGroupChat, { params: { id }, body: signed === null ? {} : { leave: signed } });
  };
  const leaving = useAction(leave, {
    failure: (error) => ({ title: t('groups:details.leaveFailed'), description: words(error) }),
    onDone: () => toast({ kind: 'success', title: t('groups:details.left', { name }) }),
  });
  const text =
    memberCount <= 1
      ? t('groups:confirm.leaveLastText')
      : t(myRole === 'owner' ? 'groups:confirm.leaveOwnerText' : 'groups:confirm.leaveText');
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t('groups:confirm.leaveTitle', { name })}
      text={text}
      confirmLabel={t('groups:confirm.leave')}
      onConfirm={async () => {
        if (!(await leaving.run())) return;
        onClose();
        // A group left from the list may not be the open conversation.
        if (pathname === groupPath(id)) await navigate('/', { replace: true });
        engine.forgetConversation(id);
      }}
    />
  );
}
