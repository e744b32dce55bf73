import { checkDeletion, hashOfDeletion, signDeletion, type Deletion } from './deletions.ts';
import { signHeader } from './headers.ts';
import { randomBytes } from './primitives.ts';
import { free, World, type TestPerson } from '../tests/world.ts';

async function aConversation() {
  const world = new World();
  const [owner, author, member] = [await world.person(), await world.person(), await world.person()];
  const start = await world.start(owner, {}, [
    free(owner.add(owner, 2)),
    free(owner.add(author)),
    free(owner.add(member)),
  ]);
  const { body } = await signHeader(owner.device.key, start.header);
  const row = randomBytes(32);
  const own = [randomBytes(32)];
  const by = ({ account, device }: TestPerson, fields: Partial<Deletion> = {}) =>
    signDeletion(device.key, {
      conversation: start.header.conversation,
      n: 0,
      headerHash: start.hash,
      messageId: row.slice(0, 16),
      row,
      account,
      device: device.id,
      own,
      at: world.now,
      ...fields,
    });
  const check = (statement: Awaited<ReturnType<typeof by>>, { list }: TestPerson) =>
    checkDeletion(statement, {
      author: author.account,
      header: { ...start.header, body },
      members: start.members,
      list: list.list,
    });
  return { owner, author, member, row, own, by, check };
}

test('the author and admins delete a message, and nobody else does', async () => {
  const { owner, author, member, row, own, by, check } = await aConversation();
  const statement = await by(author);
  expect(await check(statement, author)).toMatchObject({ row, own });
  expect((await hashOfDeletion(statement)).length).toBe(32);
  expect(await check(await by(owner), owner)).toMatchObject({ row });
  await expect(check(await by(member), member)).rejects.toMatchObject({ code: 'rights' });
});

test('a deletion counts for its conversation, header, device, and key only', async () => {
  const { author, member, by, check } = await aConversation();
  for (const fields of [{ conversation: randomBytes(16) }, { n: 1 }, { headerHash: randomBytes(32) }])
    await expect(check(await by(author, fields), author)).rejects.toMatchObject({ code: 'subject' });
  await expect(check(await by(author, { device: member.device.id }), author)).rejects.toMatchObject({
    code: 'subject',
  });
  const forged = await by(member, { account: author.account, device: author.device.id });
  await expect(check(forged, author)).rejects.toMatchObject({ code: 'signature' });
});
