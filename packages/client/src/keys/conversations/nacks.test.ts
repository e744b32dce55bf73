import { fromUuid, signNack } from '@nolo/e2ee';
import { anns, ben, bens, chat, dan, dans, setUpGroup, world } from '../../../tests/keys/groupOfThree.ts';
import type { TestDevice } from '../../../tests/keys/keyDevices.ts';
import { fromText, toText } from '../wire.ts';

/** Requests for secrets that get no answer yet (docs/encryption.md, section 4, Nack). */

setUpGroup();

const newest = () => chat.served.epochs.at(-1)!;

/** A device asks for the newest secret, and another one looks at that. */
async function ask(device: TestDevice, of: TestDevice): Promise<number> {
  const { signing } = (await device.storage.read('device')) as { signing: Parameters<typeof signNack>[0] };
  const { n, hash, answers } = newest();
  const id = device.state.deviceId ?? '';
  const statement = await signNack(signing, {
    conversation: fromUuid(chat.id),
    n,
    headerHash: fromText(hash),
    account: fromUuid(device.session.userId),
    device: fromUuid(id),
    boxNumber: 0,
    at: world.server.now(),
  });
  const signed = { body: toText(statement.body), signature: toText(statement.signature) };
  chat.served.nacks = [{ ...signed, device: id, n }];
  of.keys.conversations.onFrame({ type: 'nacks_changed', data: { conversationId: chat.id } });
  await world.idle();
  await world.pass(1);
  return answers.size;
}

const servedDevice = (userId: string, device: TestDevice) =>
  world.server.account(userId).devices.get(device.state.deviceId ?? '')!;

test('a device that was suspended since the newest header gets no answer', async () => {
  await chat.send(anns, 'One');
  servedDevice(ben, bens).suspendedAt = new Date().toISOString();
  expect(await ask(bens, anns)).toBe(0);
  servedDevice(ben, bens).suspendedAt = null;
  expect(await ask(bens, anns)).toBe(1);
});

test('someone who joined by the code gets no answer before the user says yes', async () => {
  await chat.send(anns, 'One');
  await chat.change(anns, { kind: 'admission', isOpen: true });
  await chat.read(bens);
  chat.served.members.push({ userId: dan, role: 0 });
  await anns.keys.conversations.seal(chat.draft('Two'));
  await anns.keys.conversations.answer(chat.id, 'joined', true);
  await chat.send(anns, 'Two');
  expect(await chat.read(dans)).toEqual(['earlier', 'Two']);
  expect(await ask(dans, bens)).toBe(0);
  await bens.keys.conversations.answer(chat.id, 'joined', true);
  expect(await ask(dans, bens)).toBe(1);
});

test('members whom the server supplied get no answer before the user confirmed them', async () => {
  await bens.keys.conversations.answer(chat.id, 'members', true);
  await chat.send(bens, 'One');
  expect(await ask(bens, anns)).toBe(0);
  await anns.keys.conversations.answer(chat.id, 'members', true);
  expect(await ask(bens, anns)).toBe(1);
});

test('a device whose box keys are too old for a timer gets an answer once it renewed them', async () => {
  await chat.send(anns, 'One');
  bens.keys.stop();
  await world.pass(15 * 86_400_000);
  await chat.change(anns, { kind: 'timer', seconds: 3_600 });
  expect(newest().boxes.has(bens.state.deviceId ?? '')).toBe(false);
  expect(await ask(bens, anns)).toBe(0);
  await bens.restart();
  expect(await ask(bens, anns)).toBe(1);
});
