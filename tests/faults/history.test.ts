import type { Message } from '@nolo/api';
import { ChaosHistory } from '../support/clients/ChaosHistory.ts';

/** Tests the checker itself: one that finds no faults would make the other tests worthless. */

const conversationId = 'c1';

function message(seq: number, content = `m${seq}`): Message {
  const text = { id: `id-${content}`, clientMessageId: `client-${content}`, content };
  return { ...text, conversationId, seq, changeSeq: seq, senderId: 'ann' } as Message;
}

/** Returns a correct history of three messages. */
function good(): { history: ChaosHistory; stored: Message[] } {
  const history = new ChaosHistory();
  const stored = [message(1), message(2), message(3)];
  for (const one of stored) {
    history.tries(one.clientMessageId!, conversationId, one.content);
    history.acknowledges('ann', one.clientMessageId!, one);
    history.seesLive('ben', one);
  }
  return { history, stored };
}

/** Returns a message after an edit or, without content, an erasure. */
function amended(message: Message, changeSeq: number, content: string | null): Message {
  return { ...message, changeSeq, content: content ?? '', deletedAt: content === null ? 'now' : null } as Message;
}

/** Ann changes her first message, and the change is acknowledged. */
function amend(history: ChaosHistory, stored: Message[], content: string | null, changeSeq = 4): Message {
  const after = amended(stored[0]!, changeSeq, content);
  history.amendmentAcknowledged('ann', history.amends('client-m1', content)!, after);
  return after;
}

function violationsAfter(act: (history: ChaosHistory, stored: Message[]) => void): string[] {
  const { history, stored } = good();
  act(history, stored);
  return history.violations;
}

it('reports nothing for a correct history, redeliveries included', () => {
  const violations = violationsAfter((history, stored) => {
    history.seesLive('ben', stored[1]!);
    history.shows('ben', conversationId, stored);
    history.checkStored(conversationId, stored);
    history.checkShown('ben', conversationId, stored, stored);
    history.checkReceived('ben', conversationId, stored);
  });
  expect(violations).toEqual([]);
});

it('reports nothing for edits and erasures that everyone ends up with', () => {
  const violations = violationsAfter((history, [first, ...others]) => {
    amend(history, [first!], 'edited');
    const after = amend(history, [first!], null, 5);
    history.seesLive('ben', after);
    history.checkStored(conversationId, [after, ...others]);
    history.checkShown('ben', conversationId, [after, ...others], [after, ...others]);
    history.checkReceived('ben', conversationId, [after, ...others]);
  });
  expect(violations).toEqual([]);
});

/** Ben reacts to the first message, and the reaction is acknowledged. */
function react(history: ChaosHistory, stored: Message[], emoji: string | null, changeSeq = 4): Message {
  const reactions = emoji === null ? [] : [{ userId: 'ben', emoji }];
  const after = { ...stored[0]!, changeSeq, reactions };
  history.reactionAcknowledged('ben', 'ben', history.reacts('client-m1', 'ben', emoji)!, after);
  return after;
}

it('reports nothing for reactions added, changed and removed, or on a message that was erased', () => {
  const { history, stored } = good();
  react(history, stored, '👍');
  const after = react(history, stored, '❤️', 5);
  history.checkStored(conversationId, [after, ...stored.slice(1)]);
  const late = history.reacts('client-m1', 'cas', '👍')!;
  late.gone = true;
  const erased = amend(history, stored, null, 6);
  history.checkStored(conversationId, [erased, ...stored.slice(1)]);
  history.checkKept(conversationId, 1, []);
  expect({ reacted: history.reacted, violations: history.violations }).toEqual({ reacted: 2, violations: [] });
});

it('accepts that an unanswered edit lands after the last acknowledged one, and counts it', () => {
  const { history, stored } = good();
  const first = history.amends('client-m1', 'first edit')!;
  first.unknown += 1;
  history.amendmentAcknowledged('ann', first, amended(stored[0]!, 4, 'first edit'));
  amend(history, stored, 'second edit', 5);
  history.checkStored(conversationId, [amended(stored[0]!, 6, 'first edit'), ...stored.slice(1)]);
  expect({ late: history.lateAmendments, violations: history.violations }).toEqual({ late: 1, violations: [] });
});

it('continues after the part that was verified and forgotten, and recognises that part again', () => {
  const { history, stored } = good();
  history.checkStored(conversationId, stored);
  history.forget(conversationId, stored);
  expect([history.verified, history.verifiedUpTo(conversationId), history.attempts.size]).toEqual([3, 3, 0]);
  const next = message(4);
  history.tries('client-m4', conversationId, 'm4');
  history.acknowledges('ann', 'client-m4', next);
  history.seesLive('ben', stored[0]!);
  history.seesLive('ben', next);
  history.checkStored(conversationId, [next]);
  history.checkShown('ben', conversationId, [...stored, next], [next]);
  history.checkReceived('ben', conversationId, [next]);
  history.checkKept(conversationId, 1, stored);
  expect(history.violations).toEqual([]);
});

it('counts violations by the rule that was broken', () => {
  const { history, stored } = good();
  history.checkStored(conversationId, stored.slice(0, 2));
  history.shows('ben', conversationId, [stored[1]!, stored[0]!]);
  expect(history.broken).toEqual({ lost: 1, double: 0, order: 1, amendment: 0, calm: 0, unopenable: 0, other: 0 });
});

it('measures the longest time without an acknowledgement, except for an intended pause', () => {
  let now = 0;
  const history = new ChaosHistory(() => now);
  const acknowledgeMessage = (seq: number, at: number) => {
    now = at;
    history.tries(`client-m${seq}`, conversationId, `m${seq}`);
    history.acknowledges('ann', `client-m${seq}`, message(seq));
  };
  acknowledgeMessage(1, 1_000);
  acknowledgeMessage(2, 3_500);
  history.pause();
  acknowledgeMessage(3, 90_000);
  acknowledgeMessage(4, 90_010);
  expect(history.longestOutageMs).toBe(2_500);
});

it.each<[string, (history: ChaosHistory, stored: Message[]) => void, RegExp]>([
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
    'a message that was attempted, stored and never acknowledged',
    (history, stored) => {
      history.tries('client-m4', conversationId, 'm4');
      history.checkStored(conversationId, [...stored, message(4)]);
    },
    /never learned it/,
  ],
  [
    'a gap in seq',
    (history, stored) => history.checkStored(conversationId, [stored[0]!, { ...stored[2]! }]),
    /stores seq 3 at place 2/,
  ],
  [
    'two acknowledgements for one message',
    (history) =>
      history.acknowledges('ann', 'client-m1', { ...message(4), clientMessageId: 'client-m1', content: 'm1' }),
    /as two messages/,
  ],
  ['one message in two places', (history) => history.sees('ben', message(9, 'm1')), /which was/],
  ['two messages in one place', (history) => history.sees('ben', message(1, 'other')), /where "m1" was before/],
  [
    'a client that shows a gap',
    (history, stored) => history.shows('ben', conversationId, [stored[0]!, stored[2]!]),
    /showed seq 3 right after 1/,
  ],
  [
    'a client that shows another order',
    (history, stored) => history.shows('ben', conversationId, [stored[1]!, stored[0]!]),
    /showed seq 1 right after 2/,
  ],
  [
    'a client that misses a message',
    (history, stored) => history.checkShown('ben', conversationId, stored.slice(0, 2), stored),
    /missing seq \[3\]/,
  ],
  [
    'a client that shows a message twice',
    (history, stored) => history.checkShown('ben', conversationId, [...stored, stored[2]!], stored),
    /double \[3\]/,
  ],
  [
    'a message placed before one that was already acknowledged when it was sent',
    (history) => {
      history.tries('client-m0', conversationId, 'm0');
      history.acknowledges('ann', 'client-m0', { ...message(4, 'm0'), seq: 2 });
    },
    /when seq 3 was acknowledged, and it became 2/,
  ],
  [
    'a text that nobody wrote',
    (history, stored) => history.sees('ben', { ...stored[0]!, changeSeq: 9, content: 'other' }),
    /which nobody made of it/,
  ],
  [
    'an erasure that nobody requested',
    (history, stored) => history.sees('ben', amended(stored[0]!, 9, null)),
    /its erasure .* which nobody made of it/,
  ],
  [
    'two texts at one changeSeq',
    (history, stored) => {
      history.amends('client-m1', 'edited');
      history.sees('ben', { ...stored[0]!, content: 'edited' });
    },
    /another text at the same changeSeq/,
  ],
  [
    'an acknowledged edit that is gone',
    (history, stored) => {
      amend(history, stored, 'edited');
      history.checkStored(conversationId, [{ ...stored[0]!, changeSeq: 5 }, ...stored.slice(1)]);
    },
    /ends as "m1", and "edited" was acknowledged last/,
  ],
  [
    'an erased message that is back, even after an unanswered edit',
    (history, stored) => {
      const edit = history.amends('client-m1', 'edited')!;
      edit.unknown += 1;
      history.amendmentAcknowledged('ann', edit, amended(stored[0]!, 4, 'edited'));
      amend(history, stored, null, 5);
      history.checkStored(conversationId, [amended(stored[0]!, 6, 'edited'), ...stored.slice(1)]);
    },
    /its erasure was acknowledged last/,
  ],
  [
    'an edit answered with another text',
    (history, stored) => {
      history.amendmentAcknowledged('ann', history.amends('client-m1', 'edited')!, stored[0]!);
    },
    /was answered otherwise/,
  ],
  [
    'an acknowledged reaction that is gone',
    (history, stored) => {
      react(history, stored, '👍');
      history.checkStored(conversationId, [{ ...stored[0]!, changeSeq: 5, reactions: [] }, ...stored.slice(1)]);
    },
    /ends with nothing of ben, 👍 was acknowledged last/,
  ],
  [
    'a reaction that nobody added, or two by one person',
    (history, stored) => {
      history.sees('cas', { ...stored[0]!, changeSeq: 9, reactions: [{ userId: 'ben', emoji: '👍' }] });
    },
    /which nobody made of it/,
  ],
  [
    'a reaction answered with another one',
    (history, stored) => {
      const reactions = [{ userId: 'ben', emoji: '👎' }];
      const made = history.reacts('client-m1', 'ben', '👍')!;
      history.reactionAcknowledged('ben', 'ben', made, { ...stored[0]!, changeSeq: 4, reactions });
    },
    /reacted with 👍 and was answered 👎/,
  ],
  [
    'a client that was never notified of a reaction',
    (history, stored) => {
      const after = react(history, stored, '👍');
      history.checkReceived('cas', conversationId, [after, ...stored.slice(1)]);
    },
    /cas was never told/,
  ],
  [
    'a message reported as gone that is there',
    (history, stored) => {
      history.reacts('client-m1', 'ben', '👍')!.gone = true;
      history.checkStored(conversationId, stored);
    },
    /said to be gone to ben, and is there/,
  ],
  [
    'a client that shows an outdated text',
    (history, stored) => {
      const after = amend(history, stored, 'edited');
      history.checkShown('ben', conversationId, stored, [after, ...stored.slice(1)]);
    },
    /ends with another text than the server for seq \[1\]/,
  ],
  [
    'a client that was never notified of a message',
    (history, stored) => history.checkReceived('cas', conversationId, stored),
    /cas was never told seq \[1,2,3\]/,
  ],
  [
    'a client that was never notified of an edit',
    (history, stored) => {
      const after = amend(history, stored, 'edited');
      history.checkReceived('ben', conversationId, [after, ...stored.slice(1)]);
    },
    /ben was never told the last state of seq \[1\]/,
  ],
  [
    'a verified message that is there a second time',
    (history, stored) => {
      history.checkStored(conversationId, stored);
      history.forget(conversationId, stored);
      history.checkStored(conversationId, [{ ...stored[0]!, id: 'other', seq: 4, changeSeq: 4 }]);
    },
    /"m1" is stored, and nobody sent it/,
  ],
  [
    'a verified message that has become another one',
    (history, stored) => {
      history.forget(conversationId, stored);
      history.checkKept(conversationId, 2, [{ ...stored[1]!, id: 'other' }]);
    },
    /seq 2 of c1 was verified, and by now another message is there/,
  ],
  [
    'a verified message with another text',
    (history, stored) => {
      history.forget(conversationId, stored);
      history.checkKept(conversationId, 1, [amended(stored[0]!, 9, null)]);
    },
    /seq 1 of c1 was verified, and by now it has another text/,
  ],
])('finds %s', (_, act, expected) => {
  expect(violationsAfter(act).join('\n')).toMatch(expected);
});
