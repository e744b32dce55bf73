import type { AppError } from '@nolo/kit/errors';
import type { Member } from '@nolo/proto/conversation';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { aGroup } from '@nolo/testing/protos';
import { fakeService } from './fakeService.ts';

/** Fakes the groups service for the gateway: returns what the test set and records requests. */
export function memoryGroups() {
  const requests: { name: string; request: unknown }[] = [];
  const answers = {
    error: undefined as AppError | undefined,
    group: aGroup([]),
    /** True if the caller is in the group that a code names. */
    inside: true,
    members: [] as Member[],
    skipped: [] as { userId: string; reason: string }[],
    invitedIds: [] as string[],
    nextCursor: undefined as string | undefined,
    formerPath: '',
  };
  const answering =
    <Request, Reply>(name: string, answer: (request: Request) => Reply) =>
    async (request: Request): Promise<Reply> => {
      requests.push({ name, request });
      if (answers.error) throw answers.error;
      return answer(request);
    };
  const named = () => ({ name: answers.group.meta?.name ?? '', roomCode: answers.group.meta?.group?.roomCode ?? '' });

  const service = fakeService(GroupServiceDefinition, {
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
    checkAdmin: answering('checkAdmin', () => ({})),
    setGroupPicture: answering('setGroupPicture', () => ({ formerPath: answers.formerPath })),
    listMembers: answering('listMembers', () => ({ members: answers.members, nextCursor: answers.nextCursor })),
    createGroupInvite: answering('createGroupInvite', () => ({ token: 'invite-token', ...named() })),
  });

  return { service, asked: requests, answers };
}
