import { routes } from '@nolo/api';
import { signEntry } from '@nolo/client/chat/sealedDecisions';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { toast } from '../ui/toasts.ts';
import { groupKeys } from '../chat/context/groupQueries.ts';
import type { GroupInvite } from './groupAddress.ts';
import { useGroupFailureWords } from '../chat/groupCalls/useGroupFailureWords.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';

export type JoinOutcome = { joined: true; id: string } | { joined: false };

/** Joins by a code, asks to join, or withdraws the request. */
export function useJoinGroup() {
  const { t } = useTexts(groupsTexts);
  const words = useGroupFailureWords();
  const { engine } = useChat();
  const queryClient = useQueryClient();
  return {
    /** Rejects with the request's error. */
    async join(roomCode: string, invite?: GroupInvite): Promise<JoinOutcome> {
      const addition = invite?.entry ? await signEntry(engine, invite.entry.groupId, invite.entry.key) : null;
      const answer = await call(routes.joinGroupChat, {
        params: { roomCode },
        body: { ...(invite && { inviteToken: invite.token }), ...(addition !== null && { addition }) },
      });
      const { name } = answer;
      void queryClient.invalidateQueries({ queryKey: groupKeys.all });
      if (!answer.joined) {
        toast({ kind: 'success', title: t('groups:joinForm.asked', { name }) });
        return { joined: false };
      }
      toast({ kind: 'success', title: t('groups:joinForm.joined', { name }) });
      await call(routes.getConversation, { params: { id: answer.id } }).then(engine.addConversation, () => {});
      return { joined: true, id: answer.id };
    },
    /** Withdraws the request. Rejects with the request's error. */
    async withdraw(roomCode: string, name: string): Promise<void> {
      await call(routes.withdrawJoinRequest, { params: { roomCode } });
      toast({ kind: 'success', title: t('groups:admission.withdrawn', { name }) });
    },
    failureText: (error: unknown): string | undefined => words(error, '') || undefined,
  };
}
