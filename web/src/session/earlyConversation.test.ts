import { jest } from '@jest/globals';
import {
  requestConversationEarly,
  dropEarlyConversation,
  takeEarlyConversation,
  takeEarlyMessagePage,
} from './earlyConversation.ts';

const id = '01a21db7-66c9-72f7-9fd2-02b6ada72ca2';
const requests: string[] = [];
const path = `/api/conversations/${id}`;
/** Responses by kind of request. A missing one simulates a network failure. */
let answers: Partial<Record<'row' | 'page', () => Response>> = {};
beforeEach(() => {
  requests.length = 0;
  dropEarlyConversation();
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    requests.push(address as string);
    const answer = address === `${path}?early&content=sealed` ? answers.row : answers.page;
    if (!answer) throw new TypeError('no network');
    return answer();
  });
});
afterEach(() => jest.restoreAllMocks());

const row = (unreadCount: number) => () => Response.json({ id, unreadCount, changeSeq: 9 });
const messages = [
  { id: 'm1', changeSeq: 7 },
  { id: 'm2', changeSeq: 4 },
];
const page = () => Response.json(messages, { headers: { 'x-next-cursor': 'more' } });

test('the row and its messages are requested at once, taken once, and the messages carry their age', async () => {
  answers = { row: row(0), page };
  requestConversationEarly(id);
  expect(await takeEarlyConversation('another')).toBeUndefined();
  expect(await takeEarlyConversation(id)).toMatchObject({ id });
  expect(await takeEarlyConversation(id)).toBeUndefined();
  expect(await takeEarlyMessagePage('another')).toBeUndefined();
  const early = await takeEarlyMessagePage(id);
  expect([early?.items, early?.asOf, early?.headers.get('x-next-cursor')]).toEqual([messages, 7, 'more']);
  expect(requests).toEqual([`${path}?early&content=sealed`, `${path}/messages?limit=50&early&content=sealed`]);
  expect([await takeEarlyMessagePage(id), await takeEarlyConversation(id)]).toEqual([undefined, undefined]);
});

test('a conversation with much unread, or without messages, has no early page', async () => {
  answers = { row: row(26), page };
  requestConversationEarly(id);
  expect(await takeEarlyMessagePage(id)).toBeUndefined();
  answers = { row: row(0), page: () => Response.json([]) };
  requestConversationEarly(id);
  expect(await takeEarlyMessagePage(id)).toBeUndefined();
});

test('a failed early answer is left to the next request', async () => {
  const refused = () => Response.json({ code: 'unauthorized' }, { status: 401 });
  answers = { row: refused, page: refused };
  requestConversationEarly(id);
  expect([await takeEarlyConversation(id), await takeEarlyMessagePage(id)]).toEqual([undefined, undefined]);
  answers = {};
  requestConversationEarly(id);
  expect(await takeEarlyConversation(id)).toBeUndefined();
});

test('early answers for someone who has left are given to nobody else', async () => {
  answers = { row: row(0), page };
  requestConversationEarly(id);
  dropEarlyConversation();
  expect([await takeEarlyConversation(id), await takeEarlyMessagePage(id)]).toEqual([undefined, undefined]);
});
