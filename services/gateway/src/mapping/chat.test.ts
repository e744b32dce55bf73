import { aConversation, aMember, aMessage, aUser } from '@nolo/testing/protos';
import { collectPersonIds, toAttachment, toConversationChanges, toConversation, toMessage } from './chat.ts';
import { toUser } from './people.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const row = aMessage({
  id: 'm',
  conversationId: 'c',
  senderId: 'a',
  seq: 3,
  changeSeq: 7,
  content: 'hi',
  createdAt: at,
});
const conversation = aConversation({
  id: 'c',
  lastMessageAt: at,
  members: ['a', 'b'].map((userId) => aMember({ userId, joinedAt: at })),
  lastMessage: row,
  lastSeq: 3,
  changeSeq: 7,
  unreadCount: 3,
  createdAt: at,
  updatedAt: at,
});
const user = (id: string) => toUser(aUser({ id, firstName: id, presenceStatus: 'away' }));

describe('toMessage', () => {
  it('maps missing fields to null', () => {
    expect(toMessage(row)).toMatchObject({
      clientMessageId: null,
      fileUrl: null,
      fileSize: null,
      editedAt: null,
      createdAt: '2026-11-20T12:00:00.000Z',
    });
  });

  it('keeps the fields of files and voice messages separate', () => {
    const empty = toAttachment({ fileUrl: '/objects/1', fileSize: 0 });
    expect(toMessage({ ...row, attachment: empty })).toMatchObject({
      fileSize: 0,
      voiceMessageUrl: null,
    });
    const voiceNote = toAttachment({ voiceMessageUrl: '/objects/2' });
    expect(toMessage({ ...row, messageType: 'voice', attachment: voiceNote })).toMatchObject({
      fileUrl: null,
      fileSize: null,
      voiceMessageUrl: '/objects/2',
    });
    expect(toAttachment({})).toBeUndefined();
  });
});

test('content stays as stored, so that only clients and the answers for simple ones open it', () => {
  const content = '{"v":1,"fileName":"a.png"}';
  const message = toMessage({ ...row, content });
  expect(message.content).toBe(content);
  expect(message).not.toHaveProperty('fileName');
});

describe('toConversation', () => {
  it('shows each person the other one', () => {
    const people = new Map([user('a'), user('b')].map((one) => [one.id, one]));
    expect(toConversation(conversation, 'a', people).otherUser).toMatchObject({
      id: 'b',
      displayName: 'b',
      isOnline: true,
    });
    expect(toConversation(conversation, 'b', people).otherUser?.id).toBe('a');
    expect(toConversation(conversation, 'a', people).lastMessage?.timestamp).toBe('2026-11-20T12:00:00.000Z');
  });

  it('collects the people of direct conversations, each once', () => {
    expect(
      collectPersonIds([
        conversation,
        conversation,
        { ...conversation, type: 'group', members: [aMember({ userId: 'x' })] },
      ]),
    ).toEqual(['a', 'b']);
  });
});

it('omits unknown changes', () => {
  expect(
    toConversationChanges([
      { changeSeq: 1, what: undefined },
      { changeSeq: 2, what: { $case: 'member', value: aMember({ userId: 'a' }) } },
    ]),
  ).toMatchObject([{ type: 'member', changeSeq: 2 }]);
});
