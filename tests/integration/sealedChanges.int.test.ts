import { routes } from '@nolo/api';
import { decideHeldMessage } from '@nolo/client/chat/sealedDecisions';
import { eventually, openToGroups, signInByPhone, signUpByPhone } from '@nolo/testing';
import { must, openAcceptedConversation } from '../support/authorization/authorizationCast.ts';
import { SealedDevice, setUpSealedPeople } from '../support/clients/sealedDevices.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/** Checks what changes in sealed conversations, between real clients, through two gateways and every service. */

const running = openSharedTestStack();
const { started, startPair, startPerson } = setUpSealedPeople(running);

const epochOf = (device: SealedDevice, id: string) => device.chats.store.getState().standings[id]?.epoch;
const linesOf = (device: SealedDevice, id: string) =>
  device.chats.store.getState().standings[id]?.lines.map(({ by, change }) => ({ by, ...change }));

async function startGroup(...members: SealedDevice[]): Promise<string> {
  const [owner, ...others] = members as [SealedDevice, ...SealedDevice[]];
  await openToGroups(...members.map(({ user }) => user));
  const { id } = await owner.client.call(routes.createGroup, {
    body: { name: 'Birds', memberIds: others.map(({ user }) => user.id) },
  });
  for (const device of members) await device.chats.open(id);
  return id;
}

test('two people who write at once begin one epoch', async () => {
  const [ann, ben] = await Promise.all([startPerson(0), startPerson(1)]);
  const id = await openAcceptedConversation(ann.user, ben.user);
  for (const device of [ann, ben]) await device.chats.open(id);
  await Promise.all([ann.send(id, 'from Ann'), ben.send(id, 'from Ben')]);
  for (const device of [ann, ben])
    await eventually(() => {
      expect(device.read(id).toSorted()).toEqual(['from Ann', 'from Ben']);
      expect(epochOf(device, id)).toBe(0);
      return true;
    });
});

test('a member who writes first is asked about the members, and so are the others', async () => {
  const [ann, ben] = await Promise.all([startPerson(0), startPerson(1)]);
  const id = await startGroup(ann, ben);
  ben.chats.send(id, 'one');
  const heldBy = () => ben.chats.store.getState().timelines[id]?.pending[0]?.heldBy;
  await eventually(() => heldBy()?.state === 'question');
  expect(heldBy()).toMatchObject({ questions: [{ id: 'members', kind: 'members' }] });
  await ben.chats.answerQuestion(id, 'members', true);
  await ann.reads(id, ['one']);
  await eventually(() => epochOf(ann, id) === 0);
  expect(linesOf(ann, id)).toMatchObject([{ kind: 'started_by_server_members', by: ben.user.id }]);
  ann.chats.send(id, 'two');
  await eventually(() => ann.chats.store.getState().timelines[id]?.pending[0]?.heldBy?.state === 'question');
  await ann.chats.answerQuestion(id, 'members', true);
  await ben.reads(id, ['one', 'two']);
});

test('who was offline does not seal for a device that was removed meanwhile', async () => {
  const { ann, phone, ben, id } = await startPair();
  await ben.send(id, 'one');
  for (const device of [ann, phone]) await device.reads(id, ['one']);
  ben.setNetwork(false);
  await eventually(() => ben.chats.store.getState().connection !== 'open');
  await running.prove(ann.user.id, 'now');
  await ann.keys.removeDevices([phone.id]);
  ben.setNetwork(true);
  await eventually(() => ben.chats.store.getState().connection === 'open');
  await ben.send(id, 'two');
  await ann.reads(id, ['one', 'two']);
  await eventually(() => epochOf(ann, id) === 1);
});

test('a changed identity gets nothing until the other person accepts it', async () => {
  const [ann, ben] = await Promise.all([startPerson(0), startPerson(1)]);
  const id = await openAcceptedConversation(ann.user, ben.user);
  for (const device of [ann, ben]) await device.chats.open(id);
  await ann.send(id, 'one');
  await ben.reads(id, ['one']);
  const session = await signInByPhone(running.urls[1]!, ben.user.phone);
  const anew = await started(new SealedDevice(session).start());
  await anew.keys.startOver();
  await anew.chats.open(id);
  ann.chats.send(id, 'two');
  const heldBy = () => ann.chats.store.getState().timelines[id]?.pending[0]?.heldBy;
  await eventually(() => heldBy()?.state === 'question');
  const held = heldBy();
  const [question] = held?.state === 'question' ? held.questions : [];
  expect(question).toMatchObject({ kind: 'identity', userId: ben.user.id });
  await ann.chats.answerQuestion(id, question!.id, true);
  // A message from before the change waits for a tap.
  await eventually(() => heldBy()?.state === 'written_before');
  ann.chats.retry(id, ann.chats.store.getState().timelines[id]!.pending[0]!.clientMessageId);
  await anew.reads(id, ['(earlier)', 'two']);
  await anew.send(id, 'three');
  await ann.reads(id, ['one', 'two', 'three']);
});

test('a link of a new member waits sealed until an admin has read and approved it', async () => {
  const [ann, ben] = await Promise.all([startPerson(0), startPerson(1)]);
  const id = await startGroup(ann, ben);
  const path = `/api/group-chats/${id}`;
  must(await ann.user.api.patch(path, { settings: { moderationEnabled: true } }), 'The setting');
  await ann.send(id, 'one');
  await ben.reads(id, ['one']);
  const { seq, id: messageId, senderId } = ben.find(id, 'one');
  const replyTo = { seq, messageId, senderId };
  ben.chats.send(id, 'https://a.example', { hasLink: true, mentions: [ann.user.id], replyTo });
  const held = await eventually(async () => {
    const { items } = await ann.client.callPage(routes.listHeldMessages, { params: { id } });
    return items[0];
  });
  expect(held).toMatchObject({ senderId: ben.user.id, content: '', seal: { held: true, epoch: 0 } });
  await eventually(() => ben.chats.store.getState().timelines[id]?.pending.length === 0);

  await decideHeldMessage(ann.chats, held, true);
  for (const device of [ann, ben]) {
    await device.reads(id, ['one', 'https://a.example']);
    expect(device.find(id, 'https://a.example')).toMatchObject({
      senderId: ben.user.id,
      opening: { approvedBy: ann.user.id },
    });
  }
  // The author deletes it, and the others see who did.
  const { id: postId } = ben.find(id, 'https://a.example');
  await ben.chats.remove(postId);
  await eventually(() => {
    const post = ann.messages(id).find((message) => message.id === postId);
    expect(post).toMatchObject({ senderId: ben.user.id, opening: { state: 'deleted', by: ben.user.id } });
    return true;
  });
});

test('roles, a leave, a removal without an epoch, and a timer reach every device', async () => {
  const [ann, ben, cem, dea] = await Promise.all([startPerson(0), startPerson(1), startPerson(0), startPerson(1)]);
  const id = await startGroup(ann, ben, cem, dea);
  await ann.send(id, 'one');
  const path = `/api/group-chats/${id}`;
  const role = await ann.sign(id, { kind: 'role', userId: ben.user.id, role: 1 });
  must(await ann.user.api.put(`${path}/members/${ben.user.id}/role`, { role: 'admin', epoch: role }), 'The role');
  const leave = await cem.keys.conversations.signLeave(id);
  must(await cem.user.api.post(`${path}/leave`, { leave }), 'The leave');
  await ben.send(id, 'two');
  must(await ann.user.api.delete(`${path}/members/${dea.user.id}`), 'The removal');
  await ben.send(id, 'three');
  const timer = await ann.sign(id, { kind: 'timer', seconds: 86_400 });
  must(
    await ann.user.api.patch(`/api/conversations/${id}`, { disappearingSeconds: 86_400, epoch: timer }),
    'The timer',
  );
  await ben.send(id, 'four');
  for (const device of [ann, ben]) {
    await device.reads(id, ['one', 'two', 'three', 'four']);
    await eventually(() => {
      expect(linesOf(device, id)).toMatchObject([
        { kind: 'started', by: ann.user.id },
        { kind: 'role', by: ann.user.id, userId: ben.user.id, role: 1 },
        { kind: 'left', by: cem.user.id },
        { kind: 'removed', by: null, userId: dea.user.id },
        { kind: 'timer', by: ann.user.id, seconds: 86_400 },
      ]);
      return true;
    });
    expect(device.find(id, 'four').expiresAt).not.toBeNull();
  }
});

test('a person without keys in a sealed group is named, and everybody else reads', async () => {
  const [ann, ben] = await Promise.all([startPerson(0), startPerson(1)]);
  const id = await startGroup(ann, ben);
  await ann.send(id, 'one');
  const cem = await signUpByPhone(running.urls[0]!);
  await openToGroups(cem);
  const epoch = await ann.sign(id, { kind: 'add', userId: cem.id });
  must(await ann.user.api.post(`/api/group-chats/${id}/members`, { userIds: [cem.id], epoch }), 'The addition');
  await ben.send(id, 'two');
  await ann.reads(id, ['one', 'two']);
  const reply = await cem.api.post('/api/messages', { conversationId: id, content: 'plain' });
  expect([reply.status, reply.body.code]).toEqual([409, 'encryption_required']);
});
