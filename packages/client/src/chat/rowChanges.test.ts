import type { Conversation, ConversationMeta, MemberState, ServerEventData } from '@nolo/api';
import type { ChatState } from './state.ts';
import { createChatStore, withConversation } from './chatStore.ts';
import { diffPresence, withPresence } from './presence.ts';
import { withMember, withMemberStates, withMeta } from './rowChanges.ts';

const member = (userId: string, changeSeq: number, change: Partial<MemberState> = {}) =>
  ({ userId, changeSeq, role: 'member', leftAt: null, joinedAt: '2026-01-01T00:00:00Z', ...change }) as MemberState;
const row = (changeSeq: number, members: MemberState[]) =>
  ({
    id: 'c1',
    type: 'group',
    name: 'Hikers',
    changeSeq,
    memberCount: members.length,
    members: members.map((one) => ({ deliveredSeq: 0, readSeq: 0, ...one })),
    clearedSeq: 0,
    lastMessage: null,
    otherUser: null,
    participant1: { id: 'me' },
    participant2: { id: 'you' },
  }) as unknown as Conversation;
const createMembersChange =
  (changeSeq: number, memberCount: number, ...members: MemberState[]) =>
  (state: ChatState) =>
    withMemberStates(state, 'c1', { changeSeq, memberCount, members });
const starting = (first: Conversation) =>
  after(createChatStore('me').getState(), (state) => withConversation(state, first));
const after = (state: ChatState, ...changes: ((state: ChatState) => Partial<ChatState>)[]): ChatState =>
  changes.reduce((now, change) => ({ ...now, ...change(now) }), state);
const present = (state: ChatState) =>
  state.conversations['c1']?.members.filter(({ leftAt }) => leftAt === null).map(({ userId }) => userId);
const leftAt = '2026-01-02T00:00:00Z';

test('a change to a member who has left does not bring them back', () => {
  const promoted = member('you', 11, { role: 'admin' });
  const known = starting(row(10, [member('me', 1), member('you', 2)]));
  const gone = after(
    known,
    createMembersChange(12, 1, member('you', 12, { leftAt })),
    createMembersChange(11, 2, promoted),
  );
  expect([present(gone), gone.conversations['c1']?.memberCount]).toEqual([['me'], 1]);
  // The member who left was unknown here.
  const unknown = starting(row(10, [member('me', 1)]));
  expect(
    present(
      after(unknown, createMembersChange(12, 1, member('you', 12, { leftAt })), createMembersChange(11, 2, promoted)),
    ),
  ).toEqual(['me']);
  // The row was read after they had left.
  const read = starting(row(12, [member('me', 1)]));
  expect(present(after(read, createMembersChange(11, 2, promoted)))).toEqual(['me']);
  expect(
    present(after(read, (state) => withMember(state, 'c1', { ...promoted, deliveredSeq: 0, readSeq: 0 }))),
  ).toEqual(['me']);
  expect(present(after(read, createMembersChange(13, 2, member('you', 13))))).toEqual(['me', 'you']);
});

test('an older name does not replace a newer one', () => {
  const named = (name: string, changeSeq: number) => (state: ChatState) =>
    withMeta(state, 'c1', changeSeq, { name } as ConversationMeta);
  const state = after(starting(row(10, [])), named('Climbers', 12), named('Walkers', 11));
  expect(state.conversations['c1']?.name).toBe('Climbers');
  expect(after(state, named('Swimmers', 13)).conversations['c1']?.name).toBe('Swimmers');
});

test('an older presence does not replace a newer one, nor does an answer requested before it', () => {
  const seen = (presenceStatus: 'online' | 'offline', version: number) =>
    ({ userId: 'you', presenceStatus, statusMessage: '', version }) satisfies ServerEventData<'presence'>;
  const online = withPresence({ presence: {} }, seen('online', 5));
  expect(withPresence(online, seen('offline', 4))).toEqual(online);
  const offline = withPresence(online, seen('offline', 6));
  expect(offline.presence['you']?.presenceStatus).toBe('offline');
  expect(diffPresence(online.presence, online.presence)).toEqual({});
  expect(diffPresence(online.presence, offline.presence)).toEqual(offline.presence);
});
