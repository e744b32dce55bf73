import type { AppError } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import type { Member } from '@nolo/proto/conversation';
import { GroupServiceService } from '@nolo/proto/groups';
import { aGroup, aMember } from '@nolo/testing/protos';

/** Groups as far as the gateway can tell: it answers what the test put there, and remembers what was asked. */
export function memoryGroups() {
  const asked: { name: string; request: unknown }[] = [];
  const answers = {
    error: undefined as AppError | undefined,
    group: aGroup([]),
    /** Whether the one who asks by a code is in the group. */
    inside: true,
    joined: true,
    members: [] as Member[],
    skipped: [] as { userId: string; reason: string }[],
    invitedIds: [] as string[],
    people: [] as string[],
    nextCursor: undefined as string | undefined,
    formerPath: '',
  };
  const answering =
    <Request, Reply>(name: string, answer: (request: Request) => Reply) =>
    async (request: Request): Promise<Reply> => {
      asked.push({ name, request });
      if (answers.error) throw answers.error;
      return answer(request);
    };
  const nothing = (name: string) => answering(name, () => ({}));
  const group = (name: string) => answering(name, () => answers.group);
  const named = () => ({ name: answers.group.meta?.name ?? '', roomCode: answers.group.meta?.group?.roomCode ?? '' });
  const { nextCursor } = answers;

  const service = rpcService(GroupServiceService, {
    createGroup: answering('createGroup', () => ({
      conversation: answers.group,
      skipped: answers.skipped,
      invitedIds: answers.invitedIds,
    })),
    lookUpGroup: answering('lookUpGroup', () => ({
      group: answers.inside
        ? { $case: 'conversation' as const, value: answers.group }
        : {
            $case: 'preview' as const,
            value: {
              ...named(),
              picturePath: '',
              memberCount: 3,
              maxMembers: 100,
              isPublic: false,
              guarded: false,
              membership: 'waiting',
            },
          },
    })),
    joinGroup: answering('joinGroup', () => ({
      state: answers.joined ? 'joined' : 'waiting',
      entered: answers.joined,
      conversation: answers.joined ? answers.group : undefined,
      guarded: false,
      ...named(),
    })),
    withdrawJoinRequest: nothing('withdrawJoinRequest'),
    updateGroup: group('updateGroup'),
    checkAdmin: nothing('checkAdmin'),
    listDeciders: answering('listDeciders', () => ({ userIds: [] })),
    listOwners: answering('listOwners', () => ({ owners: [] })),
    setGroupPicture: answering('setGroupPicture', () => ({ formerPath: answers.formerPath })),
    listMembers: answering('listMembers', () => ({ members: answers.members, nextCursor: answers.nextCursor })),
    addMembers: answering('addMembers', ({ userIds }: { userIds: string[] }) => ({
      members: userIds.map((userId) => aMember({ userId })),
      skipped: answers.skipped,
      invitedIds: answers.invitedIds,
    })),
    removeMember: nothing('removeMember'),
    listInvitations: answering('listInvitations', () => ({
      invitations: answers.people.map((invitedBy) => ({
        conversationId: answers.group.id,
        name: answers.group.meta?.name,
        memberCount: 3,
        invitedBy,
        invitedAt: new Date(),
      })),
    })),
    answerInvitation: answering('answerInvitation', ({ accept }: { accept?: boolean | undefined }) => ({
      conversation: accept ? answers.group : undefined,
    })),
    listInvited: answering('listInvited', () => ({
      invited: answers.people.map((userId) => ({ userId, invitedBy: userId, invitedAt: new Date() })),
      nextCursor,
    })),
    setRole: answering('setRole', ({ userId, role }: { userId: string; role: string }) => aMember({ userId, role })),
    leaveGroup: nothing('leaveGroup'),
    handOverGroup: group('handOverGroup'),
    banMember: nothing('banMember'),
    unbanMember: nothing('unbanMember'),
    listBans: answering('listBans', () => ({
      bans: answers.people.map((userId) => ({ userId, bannedBy: userId, bannedAt: new Date() })),
      nextCursor,
    })),
    listJoinRequests: answering('listJoinRequests', () => ({
      requests: answers.people.map((userId) => ({ userId, requestedAt: new Date() })),
      nextCursor,
    })),
    decideJoinRequest: nothing('decideJoinRequest'),
    rotateGroupCode: group('rotateGroupCode'),
    expireGroupCode: group('expireGroupCode'),
    createGroupInvite: answering('createGroupInvite', () => ({ token: 'invite-token', ...named() })),
    revokeGroupInvite: nothing('revokeGroupInvite'),
    listHeldMessages: answering('listHeldMessages', () => ({ held: [], nextCursor })),
    decideHeldMessage: nothing('decideHeldMessage'),
  });

  return { service, asked, answers };
}
