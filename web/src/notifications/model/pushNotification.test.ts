import type { Conversation, Message } from '@nolo/api';
import type { StoredMessage } from '@nolo/client/chat/rowOpening';
import { toPushNotification, type PushBody } from './pushNotification.ts';
import enPush from '../../../locales/en/push.json' with { type: 'json' };

const push: PushBody = {
  type: 'message',
  topic: 'chat 1',
  userId: 'me',
  at: '2026-11-24T08:00:00.000Z',
  conversationId: '1',
  conversationType: 'direct',
  messageId: '2',
  seq: 7,
  senderId: 'ada',
};
const message = (more: Partial<Message> = {}) =>
  ({ content: 'See *you* there', messageType: 'text', deletedAt: null, fileName: null, ...more }) as Message;
const known = { texts: enPush.texts, name: 'Ada', message: message() };

test('shows who wrote what, under the name of a group, and leads there', () => {
  expect(toPushNotification(push, known)).toMatchObject({
    title: 'Ada',
    body: 'See you there',
    tag: 'chat 1',
    path: '/chat/1',
  });
  const group = { ...push, conversationType: 'group' };
  const conversation = { name: 'Walkers' } as Conversation;
  expect(toPushNotification(group, { ...known, conversation })).toMatchObject({
    title: 'Walkers',
    body: 'Ada: See you there',
    path: '/group-chat/1',
  });
  expect(toPushNotification({ ...group, type: 'mention' }, { ...known, conversation }).body).toBe(
    'Ada mentioned you: See you there',
  );
});

test('a group call rings under the group’s name, and is declined for the group', () => {
  const call = { ...push, type: 'call', conversationType: 'group', callId: 'c' };
  const conversation = { name: 'Walkers' } as Conversation;
  expect(toPushNotification(call, { ...known, conversation })).toMatchObject({
    title: 'Walkers',
    body: 'Ada is calling the group',
    path: '/group-chat/1',
    callId: 'c',
    groupId: '1',
  });
  expect(toPushNotification({ ...call, conversationType: 'direct' }, known).groupId).toBeUndefined();
});

test('shows the kind of a message without text', () => {
  const body = (more: Partial<Message>) => toPushNotification(push, { ...known, message: message(more) }).body;
  expect(body({ messageType: 'image', content: '' })).toBe('Photo');
  expect(body({ messageType: 'image', content: 'Home' })).toBe('Home');
  expect(body({ messageType: 'voice' })).toBe('Voice message');
  expect(body({ messageType: 'file', content: '', fileName: 'plan.pdf' })).toBe('plan.pdf');
  expect(body({ deletedAt: '2026-11-24T08:00:00.000Z' })).toBe('New message');
});

test('a reaction is shown if the device knows it', () => {
  const reactions = [{ userId: 'ada', emoji: '🎉' }];
  const reaction = { ...push, type: 'reaction' };
  expect(toPushNotification(reaction, { ...known, message: message({ reactions }) }).body).toBe(
    'Ada reacted 🎉 to: See you there',
  );
  expect(toPushNotification(reaction, { texts: enPush.texts }).body).toBe('Someone reacted to your message');
});

test('anything other than a message shows what it is and leads to its page', () => {
  const notice = (more: Partial<PushBody>) =>
    toPushNotification({ type: '', topic: 't', userId: 'me', at: push.at, ...more }, known);
  const lobbyPush = { type: 'lobby_knock', roomCode: 'ABC234' };
  expect(notice(lobbyPush)).toMatchObject({ body: 'Someone is waiting to join your meeting', path: '/meeting/ABC234' });
  expect(notice({ type: 'payment', state: 'receipt' })).toMatchObject({
    body: 'Your payment has arrived',
    path: '/settings/plan',
  });
  expect(notice({ type: 'export' })).toMatchObject({ body: enPush.texts.exportReady, path: '/settings/account' });
  expect(notice({ type: 'payment', state: 'ended' }).body).toContain('Your paid period has ended. The Free');
  const status = { type: 'status', senderId: 'ada' };
  expect(notice(status)).toMatchObject({ title: 'Ada', body: 'New status update', path: '/status' });
  expect(notice({ ...status, preview: false }).title).toBe('Nolo');
  expect(notice({ type: 'payment', state: 'grace', preview: false }).body).toBe('You have a new notification');
});

test('a notification without a preview reveals neither who nor what; without sound it does not vibrate', () => {
  expect(toPushNotification({ ...push, preview: false, sound: false }, known)).toMatchObject({
    title: 'Nolo',
    body: 'New message',
    silent: true,
    vibrate: undefined,
  });
});

test('a call rings until someone responds, and is silent once answered elsewhere', () => {
  const call = { ...push, type: 'call', topic: 'call 1', callId: 'call-1', callType: 'video' };
  const rings = toPushNotification(call, known);
  expect(rings).toMatchObject({ title: 'Ada', body: 'Incoming video call', stays: true, callId: 'call-1' });
  expect(rings.actions.map(({ action }) => action)).toEqual(['answer', 'decline']);
  expect(toPushNotification({ ...call, type: 'call_over' }, known)).toMatchObject({
    body: 'Answered on another device',
    tag: rings.tag,
    silent: true,
    replaces: true,
    actions: [],
  });
  expect(toPushNotification({ ...call, preview: false }, known)).toMatchObject({
    title: 'Nolo',
    body: 'Incoming call',
  });
  expect(toPushNotification({ ...call, type: 'missed_call' }, known)).toMatchObject({
    body: 'Missed call',
    stays: false,
  });
});

test('a name or a file name does not change the direction of the text around it', () => {
  const group = { ...push, conversationType: 'group' };
  const createFileMessage = (fileName: string) => message({ messageType: 'file', content: '', fileName });
  expect(toPushNotification(group, { ...known, name: 'עדה', message: createFileMessage('a\u202egpj.exe') }).body).toBe(
    '\u2068עדה\u2069: agpj.exe',
  );
});

describe('in a sealed conversation', () => {
  const other = { displayName: 'Ada' } as Conversation['otherUser'];
  const conversation = { name: 'Walkers', otherUser: other, sealedFromSeq: 5 } as Conversation;
  const opening = { state: 'open', rowHash: 'h', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null } as const;
  const shown = (type: string, more: Partial<StoredMessage>, conversationType = 'direct') => {
    const found = { ...message({ seq: 7, ...more }), reactions: [{ userId: 'ada', emoji: '🎉' }] } as StoredMessage;
    const { title, body } = toPushNotification(
      { ...push, type, conversationType },
      { ...known, conversation, name: 'Not checked', message: found },
    );
    return `${title} | ${body}`;
  };

  it('shows what the device opened', () => {
    expect(shown('message', { opening })).toBe('Not checked | See you there');
    expect(shown('reaction', { opening })).toBe('Not checked | Not checked reacted 🎉 to: See you there');
  });

  it.each([
    ['a closed row', { sealed: 'bytes', messageType: 'image' as const, content: '' }],
    ['a plain row, which nobody sealed', {}],
    ['a late row', { opening: { ...opening, late: true } }],
  ])('shows nothing that the server says about %s', (_, more) => {
    expect(shown('message', more)).toBe('Ada | New message');
    expect(shown('mention', more, 'group')).toBe('Walkers | New message');
    expect(shown('reaction', more)).toBe(`Ada | ${enPush.texts.news}`);
  });

  it('shows plain messages from before', () => {
    expect(shown('message', { seq: 4, opening: { state: 'plain' } })).toBe('Not checked | See you there');
  });

  it('shows nothing of a message that it could not fetch', () => {
    expect(toPushNotification({ ...push, type: 'reply' }, { ...known, conversation, message: undefined }).body).toBe(
      'New message',
    );
  });
});
