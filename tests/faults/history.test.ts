import type { Message } from '@nolo/api';
import { History } from '../support/history.ts';

/** The checker itself: one that finds nothing wrong in anything would make the other tests worthless. */

const conversationId = 'c1';

function message(seq: number, content = `m${seq}`): Message {
  const text = { id: `id-${content}`, clientMessageId: `client-${content}`, content };
  return { ...text, conversationId, seq, changeSeq: seq, senderId: 'ann' } as Message;
}

/** A history in which all goes well, for three messages. */
function good(): { history: History; stored: Message[] } {
  const history = new History();
  const stored = [message(1), message(2), message(3)];
  for (const one of stored) {
    history.tries('ann', one.clientMessageId!, conversationId, one.content);
    history.acknowledges('ann', one.clientMessageId!, one);
    history.seesLive('ben', one);
  }
  return { history, stored };
}

function violationsAfter(act: (history: History, stored: Message[]) => void): string[] {
  const { history, stored } = good();
  act(history, stored);
  return history.violations;
}

it('has nothing to say of a history in which all went well, redeliveries included', () => {
  const violations = violationsAfter((history, stored) => {
    history.seesLive('ben', stored[1]!);
    history.shows('ben', conversationId, stored);
    history.checkStored(conversationId, stored);
    history.checkShown('ben', conversationId, stored, stored);
  });
  expect(violations).toEqual([]);
});

it.each<[string, (history: History, stored: Message[]) => void, RegExp]>([
  [
    'an acknowledged message that is lost',
    (history, stored) => history.checkStored(conversationId, stored.slice(0, 2)),
    /acknowledged and is lost/,
  ],
  [
    'a message that is stored twice',
    (history, stored) => history.checkStored(conversationId, [...stored, { ...stored[0]!, id: 'other', seq: 4 }]),
    /stored 2 times/,
  ],
  [
    'a message that nobody sent',
    (history, stored) => history.checkStored(conversationId, [...stored, message(4)]),
    /nobody sent it/,
  ],
  [
    'a message that was tried, stored, and never acknowledged',
    (history, stored) => {
      history.tries('ann', 'client-m4', conversationId, 'm4');
      history.checkStored(conversationId, [...stored, message(4)]);
    },
    /never learned it/,
  ],
  [
    'a hole in seq',
    (history, stored) => history.checkStored(conversationId, [stored[0]!, { ...stored[2]! }]),
    /stores seq 3 at place 2/,
  ],
  [
    'two acknowledgements for one message',
    (history) =>
      history.acknowledges('ann', 'client-m1', { ...message(4), clientMessageId: 'client-m1', content: 'm1' }),
    /as two messages/,
  ],
  ['a message in two places', (history) => history.sees('ben', message(9, 'm1')), /which was/],
  ['two messages in one place', (history) => history.sees('ben', message(1, 'other')), /where "m1" was before/],
  [
    'a client that shows a hole',
    (history, stored) => history.shows('ben', conversationId, [stored[0]!, stored[2]!]),
    /showed seq 3 right after 1/,
  ],
  [
    'a client that shows another order',
    (history, stored) => history.shows('ben', conversationId, [stored[1]!, stored[0]!]),
    /showed seq 1 right after 2/,
  ],
  [
    'a client that misses one',
    (history, stored) => history.checkShown('ben', conversationId, stored.slice(0, 2), stored),
    /missing seq \[3\]/,
  ],
  [
    'a client that shows one twice',
    (history, stored) => history.checkShown('ben', conversationId, [...stored, stored[2]!], stored),
    /double \[3\]/,
  ],
])('finds %s', (_, act, expected) => {
  expect(violationsAfter(act).join('\n')).toMatch(expected);
});
