import type { RouteBodyInput, GroupChat } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { groupKeys } from '../chat/context/groupQueries.ts';
import type { SharedGroup } from './ShareGroupDialog.tsx';
import { useGroupFailureWords } from '../chat/groupCalls/useGroupFailureWords.ts';
import { useGroupsWords } from '../chat/groupCalls/useGroupsWords.ts';

type Attempt = <T>(
  id: string,
  task: () => Promise<T>,
  failed: string,
  done?: (result: T) => string,
) => Promise<{ result: T } | undefined>;

/** Changes of membership and roles. */
const memberChanges = (attempt: Attempt, t: TFunction) => ({
  addMembers: (id: string, userIds: string[]) =>
    attempt(
      id,
      () => call(routes.addGroupMembers, { params: { id }, body: { userIds } }),
      t('groups.details.addFailed'),
    ),
  removeMember: (id: string, userId: string, name: string) =>
    attempt(
      id,
      () => call(routes.removeGroupMember, { params: { id, userId } }),
      t('groups.details.changeFailed'),
      () => t('groups.confirm.removed', { name }),
    ),
  withdrawInvitation: (id: string, userId: string, name: string) =>
    attempt(
      id,
      () => call(routes.removeGroupMember, { params: { id, userId } }),
      t('groups.details.changeFailed'),
      () => t('groups.details.withdrawn', { name }),
    ),
  ban: (id: string, userId: string, name: string) =>
    attempt(
      id,
      () => call(routes.banFromGroup, { params: { id, userId } }),
      t('groups.details.changeFailed'),
      () => t('groups.confirm.banned', { name }),
    ),
  liftBan: (id: string, userId: string, name: string) =>
    attempt(
      id,
      () => call(routes.unbanFromGroup, { params: { id, userId } }),
      t('groups.bans.liftFailed'),
      () => t('groups.bans.lifted', { name }),
    ),
  setRole: (id: string, userId: string, role: 'admin' | 'member', name: string) =>
    attempt(
      id,
      () => call(routes.setGroupRole, { params: { id, userId }, body: { role } }),
      t('groups.details.changeFailed'),
      () => t(role === 'admin' ? 'groups.confirm.madeAdmin' : 'groups.confirm.unmadeAdmin', { name }),
    ),
  handOver: (id: string, userId: string, name: string) =>
    attempt(
      id,
      () => call(routes.handOverGroup, { params: { id }, body: { userId } }),
      t('groups.details.changeFailed'),
      () => t('groups.confirm.handedOver', { name }),
    ),
});

/** Changes of admission, and decisions on new members' messages. */
const createAdmissionActions = (attempt: Attempt, t: TFunction) => ({
  decideRequest: (id: string, userId: string, approve: boolean, name: string) =>
    attempt(
      id,
      () => call(routes.decideJoinRequest, { params: { id, userId }, body: { approve } }),
      t('groups.requests.decideFailed'),
      () => t(approve ? 'groups.requests.approved' : 'groups.requests.declined', { name }),
    ),
  decideUnapproved: (id: string, heldId: string, approve: boolean) =>
    attempt(
      id,
      () => call(routes.decideHeldMessage, { params: { id, heldId }, body: { approve } }),
      t('groups.held.decideFailed'),
      () => t(approve ? 'groups.held.approved' : 'groups.held.declined'),
    ),
  rotateCode: (id: string, expiresAt: string | null) =>
    attempt(
      id,
      () => call(routes.rotateGroupCode, { params: { id }, body: { expiresAt } }),
      t('roomCode.failed'),
      ({ roomCode }) => t('roomCode.rotated', { code: roomCode ?? '' }),
    ),
  expireCode: (id: string) =>
    attempt(
      id,
      () => call(routes.expireGroupCode, { params: { id } }),
      t('roomCode.failed'),
      () => t('roomCode.expired'),
    ),
  createInvite: (id: string) =>
    attempt(
      id,
      () => call(routes.createGroupInvite, { params: { id }, body: {} }),
      t('groups.code.inviteFailed'),
      () => t('groups.code.inviteMade'),
    ),
  revokeInvite: (id: string) =>
    attempt(
      id,
      () => call(routes.revokeGroupInvite, { params: { id } }),
      t('groups.code.inviteFailed'),
      () => t('groups.code.inviteEnded'),
    ),
});

/**
 * Returns the actions on groups. They report their failures and then return undefined. Only creating a group throws,
 * because the texts there depend on the entry point.
 */
export function useGroupActions() {
  const { t } = useGroupsWords();
  const words = useGroupFailureWords();
  const { engine } = useChat();
  const queryClient = useQueryClient();

  const refresh = (id: string) => void queryClient.invalidateQueries({ queryKey: groupKeys.one(id) });

  const attempt: Attempt = async (id, task, failed, done) => {
    try {
      const result = await task();
      refresh(id);
      if (done) toast({ kind: 'success', title: done(result) });
      return { result };
    } catch (error) {
      showFailure({ title: failed, description: words(error) });
      return undefined;
    }
  };

  /** Adds the new group to the list immediately, and returns it for sharing. */
  const made = async (
    { id, name, roomCode, isPublic }: GroupChat,
    { refused = 0, invited = 0 } = {},
  ): Promise<SharedGroup> => {
    const more = [
      ...(invited > 0 ? [t('groups.details.areInvited', { count: invited })] : []),
      ...(refused > 0 ? [t('groups.details.notAdded', { count: refused })] : []),
    ];
    toast({
      kind: 'success',
      title: t('groups.form.created'),
      description: more.length > 0 ? more.join(' ') : t('groups.form.createdText', { name }),
    });
    void queryClient.invalidateQueries({ queryKey: groupKeys.all });
    // The frame about it may arrive later or get lost.
    await call(routes.getConversation, { params: { id } }).then(engine.addConversation, () => {});
    return { id, name, roomCode, isPublic };
  };

  return {
    createGroup: async (body: RouteBodyInput<typeof routes.createGroup>) => {
      const group = await call(routes.createGroup, { body });
      return made(group, { refused: group.skipped.length, invited: group.invited.length });
    },
    createRoom: async (body: RouteBodyInput<typeof routes.createGroupChat>) =>
      made(await call(routes.createGroupChat, { body })),
    update: (id: string, body: RouteBodyInput<typeof routes.updateGroupChat>) =>
      attempt(
        id,
        () => call(routes.updateGroupChat, { params: { id }, body }),
        t('groups.form.saveFailed'),
        () => t('groups.form.saved'),
      ),
    leave: (id: string, name: string) =>
      attempt(
        id,
        () => call(routes.leaveGroupChat, { params: { id } }),
        t('groups.details.leaveFailed'),
        () => t('groups.details.left', { name }),
      ),
    ...memberChanges(attempt, t),
    ...createAdmissionActions(attempt, t),
  };
}
