import { jest } from '@jest/globals';
import { askConversationEarly, forgetEarly, takeEarlyConversation, takeEarlyPage } from './earlyConversation.ts';

const id = '01a21db7-66c9-72f7-9fd2-02b6ada72ca2';
const asked: string[] = [];
let answers: (() => Response)[] = [];
beforeEach(() => {
  asked.length = 0;
  forgetEarly();
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (path) => {
    asked.push(path as string);
    const next = answers.shift();
    if (!next) throw new TypeError('no network');
    return next();
  });
});
afterEach(() => jest.restoreAllMocks());

const row = (unreadCount: number) => () => Response.json({ id, unreadCount, changeSeq: 7 });
const nothing = Promise.resolve(true);

test('the row is asked for before its messages, which are taken once and know what they may lack', async () => {
  answers = [row(0), () => Response.json([{ id: 'm1' }], { headers: { 'x-next-cursor': 'more' } })];
  askConversationEarly(id, nothing);
  expect(await takeEarlyConversation('another')).toBeUndefined();
  expect(await takeEarlyConversation(id)).toMatchObject({ id });
  expect(await takeEarlyConversation(id)).toBeUndefined();
  expect(await takeEarlyPage('another')).toBeUndefined();
  const page = await takeEarlyPage(id);
  expect([page?.items, page?.asOf, page?.headers.get('x-next-cursor')]).toEqual([[{ id: 'm1' }], 7, 'more']);
  expect(asked).toEqual([`/api/conversations/${id}`, `/api/conversations/${id}/messages?limit=50`]);
  expect([await takeEarlyPage(id), await takeEarlyConversation(id)]).toEqual([undefined, undefined]);
});

test('where much is unread, or the device keeps chats, there is no page', async () => {
  answers = [row(26)];
  askConversationEarly(id, nothing);
  expect(await takeEarlyPage(id)).toBeUndefined();
  expect(asked).toHaveLength(1);
  askConversationEarly(id, Promise.resolve(false));
  expect([await takeEarlyConversation(id), await takeEarlyPage(id)]).toEqual([undefined, undefined]);
  askConversationEarly(id, Promise.reject(new Error('in a private window')));
  expect(await takeEarlyPage(id)).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test('an answer that is none is left to whoever asks again', async () => {
  answers = [() => Response.json({ code: 'unauthorized' }, { status: 401 })];
  askConversationEarly(id, nothing);
  expect([await takeEarlyConversation(id), await takeEarlyPage(id)]).toEqual([undefined, undefined]);
  answers = [];
  askConversationEarly(id, nothing);
  expect(await takeEarlyConversation(id)).toBeUndefined();
});

test('what was asked for somebody who has left is nobody else’s', async () => {
  answers = [row(0), () => Response.json([])];
  askConversationEarly(id, nothing);
  forgetEarly();
  expect([await takeEarlyConversation(id), await takeEarlyPage(id)]).toEqual([undefined, undefined]);
});
