import { encodeChange, readChange, type Change } from '@nolo/e2ee';
import {
  anns,
  ben,
  bens,
  cara,
  caras,
  chat,
  dan,
  dans,
  linesOn,
  setUpGroup,
  world,
} from '../../../tests/keys/groupOfThree.ts';
import { fromText, toText } from '../wire.ts';

/** Signed leaves that cannot be in the next header (docs/encryption.md, section 4, Changes and evidence). */

setUpGroup();

type Leave = Extract<Change, { type: 2 }>;

const signLeave = async (): Promise<string> => (await caras.keys.conversations.signLeave(chat.id)) ?? '';

/** Cara leaves, and the server keeps what she signed. */
function leave(signed: string): void {
  chat.served.leaves.set(cara, signed);
  chat.apply({ kind: 'remove', userId: cara });
  chat.served.removalPending = true;
}

const left = { by: cara, change: { kind: 'left', userId: cara } };
const removed = { by: null, change: { kind: 'removed', userId: cara } };

test('a leave that waited for more than 30 days becomes the server’s', async () => {
  await chat.send(anns, 'One');
  await chat.read(caras);
  leave(await signLeave());
  await world.pass(31 * 86_400_000);
  await chat.send(bens, 'Two');
  expect((await linesOn(anns)).at(-1)).toEqual(removed);
});

test('a leave without a valid signature, or that cannot be read, becomes the server’s', async () => {
  await chat.send(anns, 'One');
  await chat.read(caras);
  const { evidence, ...change } = readChange(fromText(await signLeave())) as Leave;
  const forged = evidence && { ...evidence, signature: new Uint8Array(64) };
  leave(toText(encodeChange({ ...change, evidence: forged })));
  chat.served.leaves.set(dan, toText(Uint8Array.of(1, 2, 3)));
  await chat.send(bens, 'Two');
  expect((await linesOn(anns)).at(-1)).toEqual(removed);
});

test('a leave that names rows which the server lost becomes the server’s after one refusal', async () => {
  await chat.send(anns, 'One');
  await chat.send(caras, 'Lost');
  await chat.read(caras);
  chat.served.messages.pop();
  leave(await signLeave());
  const draft = chat.draft('Two');
  const refused = await chat.seal(bens, draft);
  await expect(chat.commit(bens, refused.epoch)).rejects.toThrow('epoch_refused');
  const again = await chat.seal(bens, draft);
  await chat.commit(bens, again.epoch);
  await chat.post(bens, draft, again.sealed);
  expect(await chat.read(anns)).toEqual(['One', 'Two']);
  expect((await linesOn(anns)).at(-1)).toEqual(removed);
});

test('a change of the group goes on without such a leave when it is asked for again', async () => {
  await chat.send(anns, 'One');
  await chat.send(caras, 'Lost');
  await chat.read(caras);
  chat.served.messages.pop();
  leave(await signLeave());
  const change = { kind: 'timer', seconds: 3_600 } as const;
  await expect(chat.change(anns, change)).rejects.toThrow('epoch_refused');
  await chat.change(anns, change);
  expect(await linesOn(bens)).toContainEqual(removed);
});

test('a leave from before the header that a newcomer checks from counts for them too', async () => {
  await chat.send(anns, 'One');
  await chat.read(caras);
  const signed = await signLeave();
  await chat.change(anns, { kind: 'role', userId: ben, role: 1 });
  await chat.change(anns, { kind: 'add', userId: dan });
  await chat.read(dans);
  leave(signed);
  await chat.send(dans, 'Two');
  expect(await chat.read(anns)).toEqual(['One', 'Two']);
  expect((await linesOn(anns)).at(-1)).toEqual(left);
});
