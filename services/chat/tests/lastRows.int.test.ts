import { randomBytes } from 'node:crypto';
import { equalBytes, hashOfDeletion, type Bytes } from '@nolo/e2ee';
import type { Message } from '@nolo/proto/conversation';
import { createTestDevice, fromMessage, type TestDevice } from '@nolo/testing/keys';
import { changeList, commitNext, commitTo, createSealedGroup, signNext, type SealedPerson } from './epochFixtures.ts';
import { chat } from './epochScene.ts';
import { SealedConversation } from './sealFixtures.ts';
import { refusalOf, refused } from './vaultFixtures.ts';

const rowOf = ({ sealed }: Message): Bytes => Uint8Array.from(sealed?.rowHash ?? []);

/** Creates a group whose member has two devices, and in which people send sealed messages. */
async function createScene() {
  const { owner, admin, member, sealed } = await createSealedGroup(chat);
  const laptop = await createTestDevice(member.userId);
  await changeList(chat, member, { add: [laptop] });
  const { checked, secret } = await commitNext(chat, sealed, owner);
  const messages = new SealedConversation(chat, sealed.id, {});
  for (const { userId, device } of [owner, admin, member]) messages.devices.set(userId, device);
  messages.epoch = { n: checked.header.n, headerHash: checked.hash, secret };

  /** Removes the member as the owner does. Returns a function that commits it with last rows of its devices. */
  async function remove(person: SealedPerson) {
    await chat.groups.removeMember({ actorId: owner.userId, conversationId: sealed.id, userId: person.userId });
    sealed.people.delete(person);
    return async (...lastRows: readonly (readonly [TestDevice, Bytes])[]) => {
      const lastRow = (id: Bytes) => lastRows.find(([device]) => equalBytes(device.id, id))?.[1] ?? null;
      return commitTo(chat, sealed, owner, await signNext(sealed, owner, { lastRow }));
    };
  }

  /** Deletes a message for everyone. Returns the hash of the deletion. */
  async function deleteFrom(person: SealedPerson, message: Message, device: TestDevice): Promise<Bytes> {
    const request = await messages.deletion(person.userId, message, { device });
    await chat.client.deleteMessage(request);
    return hashOfDeletion(fromMessage(request.deletion));
  }

  return { admin, member, phone: member.device, laptop, messages, remove, deleteFrom };
}

/** Repeats a deletion many times, as the previous release stored it, newer than all others. */
async function repeatDeletion({ id, conversationId }: Message): Promise<void> {
  const count = 1_001;
  await chat.db.raw(
    `insert into messages (conversation_id, seq, id, sender_id, change_seq, content, encryption, message_type,
      created_at, deletion)
    select conversation_id, seq + g, gen_random_uuid(), sender_id, change_seq + g, '', 'epochs', 'text', created_at,
      deletion
    from messages cross join generate_series(1, ${count}) g where id = ?`,
    [id],
  );
  await chat.db.raw(
    `update conversations set last_seq = last_seq + ${count}, last_change_seq = last_change_seq + ${count}
    where id = ?`,
    [conversationId],
  );
}

describe('a last row of an epoch', () => {
  it('is a row of the conversation, of its device', async () => {
    const { admin, member, phone, laptop, messages, remove } = await createScene();
    const [theirs, own] = [await messages.send(admin.userId), await messages.send(member.userId)];
    const commit = await remove(member);
    for (const [device, row] of [
      [phone, Uint8Array.from(randomBytes(32))],
      [phone, rowOf(theirs)],
      [laptop, rowOf(own)],
    ] as const)
      expect(await refusalOf(commit([device, row]))).toEqual(refused('last_rows'));
    await commit([phone, rowOf(own)]);
  });

  it('is of the device that wrote it, also after another device of the author edited it', async () => {
    const { member, phone, laptop, messages, remove } = await createScene();
    const sent = await messages.send(member.userId);
    await messages.edit(member.userId, sent, { device: laptop });
    const commit = await remove(member);
    expect(await refusalOf(commit([laptop, rowOf(sent)]))).toEqual(refused('last_rows'));
    await commit([phone, rowOf(sent)]);
  });

  it('stays after the message was edited and deleted', async () => {
    const { member, phone, laptop, messages, remove, deleteFrom } = await createScene();
    const sent = await messages.send(member.userId);
    await messages.edit(member.userId, sent, { device: laptop });
    const deletion = await deleteFrom(member, sent, laptop);
    const commit = await remove(member);
    expect(await refusalOf(commit([phone, deletion]))).toEqual(refused('last_rows'));
    await commit([phone, rowOf(sent)], [laptop, deletion]);
  });

  it.each(['this release', 'the previous one'])('is a deletion of %s, however many are newer', async (release) => {
    const { admin, member, phone, messages, remove, deleteFrom } = await createScene();
    const [sent, newer] = [await messages.send(member.userId), await messages.send(admin.userId)];
    const deletion = await deleteFrom(member, sent, phone);
    await deleteFrom(admin, newer, admin.device);
    await repeatDeletion(newer);
    if (release === 'the previous one')
      await chat.db('messages').where({ id: sent.id }).update({ deletion_hash: null });
    const commit = await remove(member);
    expect(await refusalOf(commit([phone, Uint8Array.from(randomBytes(32))]))).toEqual(refused('last_rows'));
    await commit([phone, deletion]);
  });
});
