import { Chat } from '../../../tests/keys/chatting.ts';
import {
  ann,
  anns,
  ben,
  chat,
  dan,
  dans,
  linesOn,
  look,
  setUpGroup,
  standing,
  world,
} from '../../../tests/keys/groupOfThree.ts';
import { idOf, type TestDevice } from '../../../tests/keys/keyDevices.ts';

/** Identities of members that are not those of the newest header (docs/encryption.md, section 4, change 6). */

setUpGroup();

const asked = { state: 'question', questions: [{ kind: 'identity', userId: ben }] };
const changed = { by: null, change: { kind: 'identity_changed', userId: ben } };

/** Ben gets a new identity, on another device. */
async function renew(): Promise<TestDevice> {
  const device = await world.ready(ben, 'New');
  await device.keys.startOver();
  return device;
}

const accept = async (device: TestDevice, of = chat): Promise<void> => {
  const { send } = await device.keys.conversations.standing(of.facts);
  for (const { id } of send.state === 'question' ? send.questions : [])
    await device.keys.conversations.answer(of.id, id, true);
};

test('a newcomer is asked about an identity that the newest header does not name', async () => {
  await chat.send(anns, 'One');
  await renew();
  await chat.change(anns, { kind: 'add', userId: dan });
  expect(await dans.keys.conversations.seal(chat.draft('Two'))).toMatchObject(asked);
  expect((await standing(dans)).send).toMatchObject(asked);
  expect(chat.served.epochs).toHaveLength(2);
  await accept(dans);
  expect((await standing(dans)).send).toEqual({ state: 'sealed' });
  await chat.send(dans, 'Two');
  expect(await linesOn(dans)).toContainEqual(changed);
});

test('a newcomer to whom the server shows a former identity is asked', async () => {
  await chat.send(anns, 'One');
  await dans.keys.lookUp([ben]);
  const elsewhere = world.server.clone();
  dans.server = elsewhere;
  await renew();
  await anns.keys.lookUp([ben]);
  await anns.keys.acceptIdentity(ben);
  await chat.send(anns, 'Two');
  await chat.change(anns, { kind: 'add', userId: dan });
  elsewhere.conversations = world.server.conversations;
  const renewed = world.server.account(ben);
  elsewhere.accounts.set(ben, { ...renewed, chains: renewed.chains.toReversed() });
  look(dans);
  expect((await standing(dans)).send).toMatchObject(asked);
});

test('a user who accepted an identity in one conversation is not asked in the next', async () => {
  await chat.send(anns, 'One');
  const other = new Chat(world, idOf(101), 'direct', [ann, ben]);
  await other.send(anns, 'One');
  await renew();
  look(anns);
  await accept(anns, other);
  expect((await standing(anns)).send).toEqual({ state: 'sealed' });
  await chat.send(anns, 'Two');
  expect(await linesOn(anns)).toContainEqual(changed);
});
