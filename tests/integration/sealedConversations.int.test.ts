import { routes, type Message } from '@nolo/api';
import { eventually, openToGroups } from '@nolo/testing';
import { must, tinyPng } from '../support/authorization/authorizationCast.ts';
import { linkDevice, setUpSealedPeople, type SealedDevice } from '../support/clients/sealedDevices.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/** Checks sealed conversations between real clients, through two gateways and every service. */

const running = openSharedTestStack();
const { started, startPair, startPerson } = setUpSealedPeople(running);

const epochsOf = (device: SealedDevice) => device.requests.filter(({ path }) => path.startsWith('/api/epochs/'));

test('two people write, answer, edit, react, pin, and delete, and every device reads it', async () => {
  const { ann, phone, ben, id } = await startPair();
  ann.requests = [];
  await ann.send(id, 'one');
  const epochs = epochsOf(ann).filter(({ method, path }) => method === 'POST' && path === `/api/epochs/${id}`);
  expect(epochs).toMatchObject([{ body: { message: { encryption: 'epochs', sealed: { own: [] } } } }]);
  expect(ann.requests.filter(({ path }) => path === '/api/messages')).toEqual([]);

  await ben.reads(id, ['one']);
  await ben.send(id, 'two', ben.find(id, 'one'));
  await ann.reads(id, ['one', 'two']);
  await ann.send(id, 'wrong');
  await ann.send(id, 'gone');
  const first = ann.find(id, 'one');
  await ben.reads(id, ['one', 'two', 'wrong', 'gone']);
  await ann.chats.edit(ann.find(id, 'wrong').id, 'right');
  await ann.chats.remove(ann.find(id, 'gone').id);
  await ben.actions.react(first.id, '🐦');
  await ben.actions.pin(first.id, true);

  const all = ['one', 'two', 'right', '(deleted)'];
  for (const device of [ann, phone, ben]) {
    await device.reads(id, all);
    await eventually(() => {
      expect(device.find(id, 'one')).toMatchObject({
        reactions: [{ userId: ben.user.id, emoji: '🐦' }],
        pinnedAt: expect.any(String),
      });
      expect(device.openingOf(id, 'one')).toMatchObject({ pinnedBy: ben.user.id, late: false });
      return true;
    });
    expect(device.find(id, 'two').replyTo).toMatchObject({ messageId: first.id });
  }
  await ben.actions.react(first.id, null);
  await eventually(() => phone.find(id, 'one').reactions.length === 0);

  // The phone changes what the laptop wrote.
  await phone.chats.edit(phone.find(id, 'right').id, 'better');
  await ben.reads(id, ['one', 'two', 'better', '(deleted)']);

  ben.stop();
  ben.isOnline = false;
  await ben.start();
  await ben.chats.open(id);
  await ben.reads(id, ['one', 'two', 'better', '(deleted)']);
});

test('a removed device reads nothing that follows, and one that is added later reads the history', async () => {
  const { ann, phone, ben, id } = await startPair();
  await ann.send(id, 'before');
  for (const device of [phone, ben]) await device.reads(id, ['before']);
  await eventually(() => ann.chats.store.getState().standings[id]?.epoch === 0);

  await running.prove(ann.user.id, 'now');
  await ann.keys.removeDevices([phone.id]);
  await ben.send(id, 'after');
  await ann.reads(id, ['before', 'after']);
  const row = must(await ben.user.api.get(`/api/conversations/${id}/messages`), 'The messages').body.at(-1) as Message;
  expect(row.seal).toMatchObject({ epoch: 1 });

  const tablet = await started(linkDevice(ann));
  await tablet.chats.open(id);
  await tablet.reads(id, ['before', 'after']);
  await tablet.send(id, 'from the tablet');
  for (const device of [ann, ben]) await device.reads(id, ['before', 'after', 'from the tablet']);

  // The removed device is served everything, in a session that somebody left it.
  phone.stop();
  phone.user = tablet.user;
  await phone.start();
  expect(phone.keys.state().phase.name).toBe('removed');
  await phone.chats.open(id);
  await eventually(() => phone.messages(id).length === 3);
  const opened = await phone.keys.conversations.open(id, [row]).catch(() => []);
  expect(opened.map(({ state }) => state)).not.toContain('open');
  expect(phone.read(id)).toEqual(['before', expect.stringMatching(/^\(/), expect.stringMatching(/^\(/)]);
});

test('a picture, a mention, a link, and a forwarded message open as they were sealed', async () => {
  const { ann, ben, id } = await startPair();
  const form = new FormData();
  form.set('file', new Blob([tinyPng]), 'picture.png');
  const uploaded = await ann.user.api.request('POST', '/api/upload-media', { body: form });
  const { url, size } = must(uploaded, 'The picture').body as { url: string; size: number };
  const mediaInfo = '{"width":1,"height":1}';
  const fields = { messageType: 'image', fileUrl: url, fileName: 'picture.png', fileSize: size, mediaInfo } as const;
  const linkPreview = '{"url":"https://a.example"}';
  ann.chats.send(id, 'look', {
    media: { messageType: 'image', name: 'picture.png', size, info: mediaInfo, fields },
    mentions: [ben.user.id],
    forwarded: true,
  });
  ann.chats.send(id, 'https://a.example', { linkPreview, extra: { poll: 1 } });
  for (const device of [ann, ben]) {
    await device.reads(id, ['look', 'https://a.example']);
    expect(device.find(id, 'look')).toMatchObject({ ...fields, mentions: [ben.user.id], forwarded: true });
    expect(device.find(id, 'https://a.example')).toMatchObject({ linkPreview, extra: { poll: 1 } });
  }
  await ann.chats.edit(ann.find(id, 'look').id, 'look again');
  await ben.reads(id, ['look again', 'https://a.example']);
  expect(ben.find(id, 'look again')).toMatchObject({ ...fields, mentions: [ben.user.id], forwarded: true });
});

test('a client without keys sees sealed rows, and cannot write beside them', async () => {
  const { ann, ben, id } = await startPair();
  await ann.send(id, 'sealed');
  const reply = await ben.user.api.post('/api/messages', { conversationId: id, content: 'plain' });
  expect([reply.status, reply.body.code]).toEqual([409, 'encryption_required']);
  const rows = must(await ben.user.api.get(`/api/conversations/${id}/messages`), 'The messages').body as Message[];
  expect(rows).toMatchObject([{ content: '', encryption: 'epochs', sealed: expect.any(String), seal: { epoch: 0 } }]);
});

test('a group seals, and who comes and goes reads what was written in between', async () => {
  const [ann, ben, cem, dea] = await Promise.all([startPerson(0), startPerson(1), startPerson(0), startPerson(1)]);
  const people = [ann, ben, cem, dea].map(({ user }) => user);
  await openToGroups(...people);
  const { id } = await ann.client.call(routes.createGroup, {
    body: { name: 'Birds', memberIds: [ben.user.id, cem.user.id] },
  });
  for (const device of [ann, ben, cem]) await device.chats.open(id);
  await ann.send(id, 'one');
  for (const device of [ben, cem]) await device.reads(id, ['one']);
  await ben.send(id, 'two');
  await cem.reads(id, ['one', 'two']);

  const added = await ann.sign(id, { kind: 'add', userId: dea.user.id });
  must(
    await ann.user.api.post(`/api/group-chats/${id}/members`, { userIds: [dea.user.id], epoch: added }),
    'The addition',
  );
  await eventually(() => dea.chats.store.getState().conversations[id] !== undefined);
  await dea.chats.open(id);
  await ann.send(id, 'three');
  await dea.reads(id, ['three']);
  await dea.send(id, 'four');

  const removed = await ann.sign(id, { kind: 'remove', userId: cem.user.id });
  await cem.reads(id, ['one', 'two', 'three', 'four']);
  must(
    await ann.user.api.request('DELETE', `/api/group-chats/${id}/members/${cem.user.id}`, { body: { epoch: removed } }),
    'The removal',
  );
  await ben.send(id, 'five');
  await ann.reads(id, ['one', 'two', 'three', 'four', 'five']);
  await dea.reads(id, ['three', 'four', 'five']);
  const rows = must(await ben.user.api.get(`/api/conversations/${id}/messages`), 'The messages').body as Message[];
  const opened = await cem.keys.conversations.open(id, rows.slice(-1)).catch(() => [{ state: 'rejected' }]);
  expect(opened.map(({ state }) => state)).not.toContain('open');

  for (const device of [ann, ben, dea]) {
    await eventually(() => {
      expect(device.chats.store.getState().standings[id]?.lines).toMatchObject([
        { epoch: 0, change: { kind: 'started' } },
        { epoch: 1, by: ann.user.id, change: { kind: 'added', userId: dea.user.id } },
        { epoch: 2, by: ann.user.id, change: { kind: 'removed', userId: cem.user.id } },
      ]);
      return true;
    });
  }
});

test('a message whose answer gets lost is stored once, the first one of an epoch too', async () => {
  const { ann, ben, id } = await startPair();
  let lost = 0;
  const loseNext = (path: string) => {
    ann.losesAnswer = (request) => {
      if (request.method !== 'POST' || request.path !== path) return false;
      ann.losesAnswer = () => false;
      lost += 1;
      return true;
    };
  };
  loseNext(`/api/epochs/${id}`);
  await ann.send(id, 'first');
  loseNext('/api/messages');
  await ann.send(id, 'second');
  // The frame of the message may come before its answer.
  await eventually(() => lost === 2);
  await ben.reads(id, ['first', 'second']);
  await ann.reads(id, ['first', 'second']);
  const sent = (path: string) => ann.requests.filter((one) => one.method === 'POST' && one.path === path);
  for (const path of [`/api/epochs/${id}`, '/api/messages']) {
    await eventually(() => sent(path).length === 2);
    const [before, repeated] = sent(path);
    expect(repeated?.body).toEqual(before?.body);
  }
  // The next message of the device names the one that was acknowledged late.
  expect(sent('/api/messages')[0]?.body).toMatchObject({ sealed: { own: [expect.any(String)] } });
  expect(must(await ben.user.api.get(`/api/conversations/${id}/messages`), 'The messages').body).toHaveLength(2);
});
