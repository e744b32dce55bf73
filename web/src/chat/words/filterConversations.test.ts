import type { Conversation } from '@nolo/api';
import { createI18n } from '../../i18n/i18n.ts';
import { getTranslate } from '../../i18n/texts.ts';
import { callTexts } from './callTexts.ts';
import { filterConversations } from './filterConversations.ts';
import type { PeopleNames } from './peopleNames.ts';

const createLastMessage = (content: string, messageType: string, deletedAt: string | null) => ({
  content,
  messageType,
  deletedAt,
  senderId: 'amara',
  fileName: null,
  voiceMessageTranscription: null,
});
const row = (id: string, displayName: string, content: string, messageType = 'text', deletedAt: string | null = null) =>
  ({
    id,
    type: 'direct',
    name: null,
    otherUser: { displayName },
    lastMessage: createLastMessage(content, messageType, deletedAt),
  }) as Conversation;

const t = getTranslate(createI18n(), callTexts);
const names: PeopleNames = {
  selfId: 'me',
  locale: 'en',
  nameOf: (id) => id,
  shortNameOf: (id) => id,
  describeSystemMessage: (systemMessage, actorId) => `${actorId} joined the group (${systemMessage.kind})`,
};
const call = { kind: 'call', callId: 'x', callType: 'audio', outcome: 'missed', durationSeconds: 0 };
const joined = { kind: 'member_joined' };
const rows = [
  row('a', 'Amara Dlamini', 'The light'),
  row('b', 'Thabo', 'See amara there'),
  row('c', 'Lena', 'Amara', 'text', 'x'),
  row('d', 'İpek Gaël', `${'long '.repeat(200)}end`),
  row('e', 'Kofi', JSON.stringify(joined), 'system'),
];
const found = (query: string) => filterConversations(rows, query, t, names).map(({ id }) => id);

test('rows are found by name or last message text, however these are spelled', () => {
  expect(found('DLAMINI')).toEqual(['a']);
  expect(found('THERE')).toEqual(['b']);
  expect(found(' light ')).toEqual(['a']);
  expect(found('ipek gael')).toEqual(['d']);
  expect(found('long end')).toEqual(['d']);
  expect(found('nothing')).toEqual([]);
});

test('a system message is found as the list shows it, and not as it is stored', () => {
  expect(found('Joined the group')).toEqual(['e']);
  expect(found('"kind"')).toEqual([]);
});

test('a call is found by the text of its row', () => {
  const missed = [row('f', 'Kofi', JSON.stringify(call), 'system')];
  const words = filterConversations(missed, 'MISSED VOICE', t, names);
  expect(words).toEqual(missed);
});

test('a deleted message is found only by the statement that it was deleted', () => {
  expect(found('amara')).toEqual(['a', 'b', 'e']);
  expect(found('message deleted')).toEqual(['c']);
});

test('a blank query filters nothing', () => {
  expect(filterConversations(rows, '  ', t, names)).toBe(rows);
});
