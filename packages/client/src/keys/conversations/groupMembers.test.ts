import {
  ann,
  anns,
  ben,
  bens,
  cara,
  caras,
  chat,
  dan,
  dans,
  linesOn,
  look,
  setUpGroup,
  standing,
  world,
} from '../../../tests/keys/groupOfThree.ts';
import { idOf } from '../../../tests/keys/keyDevices.ts';

/** Sealed groups: who joins, leaves, and decides (docs/encryption.md, section 4, Changes and evidence). */

setUpGroup();

test('the members that the owner chose read each other', async () => {
  await chat.send(anns, 'Hello all');
  await chat.send(caras, 'Hello');
  expect(await chat.read(bens)).toEqual(['Hello all', 'Hello']);
  expect((await standing(bens)).members).toEqual([
    { userId: ann, role: 2, devices: 1 },
    { userId: ben, role: 0, devices: 1 },
    { userId: cara, role: 0, devices: 1 },
  ]);
  expect(await linesOn(bens)).toEqual([{ by: ann, change: { kind: 'started' } }]);
});

test('an added member checks from the header that the evidence names, and reads from there on', async () => {
  await chat.send(anns, 'Before');
  await chat.change(anns, { kind: 'add', userId: dan });
  await chat.send(bens, 'Welcome');
  expect(await chat.read(dans)).toEqual(['earlier', 'Welcome']);
  await chat.send(dans, 'Thanks');
  expect(await chat.read(caras)).toEqual(['Before', 'Welcome', 'Thanks']);
  expect((await linesOn(caras)).at(-1)).toEqual({ by: ann, change: { kind: 'added', userId: dan } });
});

test('a removed member is gone with the signed epoch, and what they sealed before comes late', async () => {
  await chat.send(anns, 'One');
  await chat.send(caras, 'Two');
  expect(await chat.read(anns)).toEqual(['One', 'Two']);
  const draft = chat.draft('Held back');
  const late = await chat.seal(caras, draft);
  await chat.post(caras, draft, late.sealed);
  await chat.change(anns, { kind: 'remove', userId: cara });
  await chat.send(bens, 'Three');
  const opened = await chat.open(bens);
  expect(opened.map((row) => row.state === 'open' && row.late)).toEqual([false, false, true, false]);
  expect([...chat.served.epochs[1]!.boxes.keys()]).toHaveLength(2);
  expect((await linesOn(bens)).at(-1)).toEqual({ by: ann, change: { kind: 'removed', userId: cara } });
});

test('the server removes a member without evidence, and the next sender commits it', async () => {
  await chat.send(anns, 'One');
  chat.apply({ kind: 'remove', userId: cara });
  chat.served.removalPending = true;
  await chat.send(bens, 'Two');
  expect(chat.served.removalPending).toBe(false);
  expect(chat.served.epochs).toHaveLength(2);
  expect((await linesOn(anns)).at(-1)).toEqual({ by: null, change: { kind: 'removed', userId: cara } });
});

test('a leave is signed by the member and committed by the next sender', async () => {
  await chat.send(anns, 'One');
  await chat.read(caras);
  const leave = await caras.keys.conversations.signLeave(chat.id);
  chat.served.leaves.set(cara, leave ?? '');
  chat.apply({ kind: 'remove', userId: cara });
  await chat.send(bens, 'Two');
  expect((await linesOn(anns)).at(-1)).toEqual({ by: cara, change: { kind: 'left', userId: cara } });
});

test('roles change with evidence, and the group is handed over', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'role', userId: ben, role: 1 });
  await chat.change(bens, { kind: 'add', userId: dan });
  await chat.change(anns, { kind: 'role', userId: ben, role: 2 }, { kind: 'role', userId: ann, role: 0 });
  expect((await standing(caras)).members.map(({ role }) => role)).toEqual([0, 2, 0, 0]);
  await expect(chat.change(anns, { kind: 'remove', userId: dan })).rejects.toThrow('members');
});

test('a member whom the server inserts gets no key', async () => {
  await chat.send(anns, 'One');
  chat.served.members.push({ userId: dan, role: 0 });
  await chat.send(anns, 'Two');
  expect(await chat.read(dans)).toEqual(['earlier', 'earlier']);
  expect(await standing(anns)).toMatchObject({ members: { length: 3 }, outsiders: [dan] });
});

test('a role that the server gives follows from no change', async () => {
  await chat.send(anns, 'One');
  const change = await caras.keys.conversations.change(chat.facts, [{ kind: 'role', userId: cara, role: 2 }]);
  expect(change).toEqual({ state: 'blocked', reason: 'members' });
});

test('a member without keys joins a sealed group without a key', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'add', userId: idOf(9) });
  await chat.send(anns, 'Two');
  expect((await standing(bens)).members.at(-1)).toEqual({ userId: idOf(9), role: 0, devices: 0 });
});

test('an overview says what the headers say, and asks for the keys of nobody again', async () => {
  await chat.send(anns, 'One');
  await chat.read(bens);
  let asked = 0;
  world.server.lie('lookUpKeys', (reply: never) => {
    asked += 1;
    return reply;
  });
  expect(await bens.keys.conversations.overview(chat.id)).toMatchObject({
    send: null,
    epoch: 0,
    members: [{ userId: ann }, { userId: ben }, { userId: cara }],
    lines: [{ by: ann, change: { kind: 'started' } }],
  });
  expect(asked).toBe(0);
  expect((await standing(bens)).send).toEqual({ state: 'sealed' });
  expect(asked).toBeGreaterThan(0);
});

test('an epoch of somebody who is no admin is refused by everyone', async () => {
  await chat.send(anns, 'One');
  await chat.read(bens);
  const removal = await bens.keys.conversations.change(chat.facts, [{ kind: 'remove', userId: cara }]);
  expect(removal).toEqual({ state: 'blocked', reason: 'members' });
  chat.apply({ kind: 'add', userId: dan });
  await expect(chat.send(dans, 'I am in')).rejects.toThrow('sealed');
  look(anns);
  expect((await standing(anns)).epoch).toBe(0);
});
