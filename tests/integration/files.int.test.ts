import { converse, eventually, openToGroups, signUpByPhone, TestApi, type TestUser } from '@nolo/testing';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const url = openSharedTestStack().urls[0]!;

/** Waits until the check passes. */
const until = (check: () => unknown) =>
  eventually(async () => {
    await check();
    return true;
  });

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function uploadMedia(user: TestUser, name: string, bytes: Uint8Array, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return user.api.request('POST', '/api/upload-media', { body: form });
}

const stored = async (user: TestUser, name = 'picture.png', bytes: Uint8Array = png) =>
  requireSuccess(await uploadMedia(user, name, bytes), 'A file').body as {
    id: string;
    url: string;
    kind: string;
    size: number;
  };

describe('access to a file', () => {
  let owner: TestUser;
  let member: TestUser;
  let leaver: TestUser;
  let stranger: TestUser;
  let groupId: string;

  beforeAll(async () => {
    [owner, member, leaver, stranger] = (await Promise.all(
      Array.from({ length: 4 }, async () => signUpByPhone(url)),
    )) as [TestUser, TestUser, TestUser, TestUser];
    await openToGroups(member, leaver);
    const group = await owner.api.post('/api/groups', { name: 'Files', memberIds: [member.id, leaver.id] });
    groupId = requireSuccess(group, 'A group').body.id as string;
  });

  const send = (user: TestUser, fileUrl: string, more: object = {}) =>
    user.api.post('/api/messages', { conversationId: groupId, content: '', messageType: 'image', fileUrl, ...more });
  const statuses = async (path: string) => {
    const readers = [owner, member, leaver, stranger].map(({ api }) => api);
    const answers = [...readers, new TestApi(url)].map(async (api) => (await api.get(path)).status);
    return Promise.all(answers);
  };

  it('is limited to its uploader, then to members of conversations it was sent to', async () => {
    const file = await stored(owner);
    const paths = [file.url, `/api/files/${file.id}`];
    for (const path of paths) expect(await statuses(path)).toEqual([200, 404, 404, 404, 401]);
    const message = requireSuccess(await send(owner, file.url), 'A message').body;
    for (const path of paths) expect(await statuses(path)).toEqual([200, 200, 200, 404, 401]);
    requireSuccess(await owner.api.delete(`/api/group-chats/${groupId}/members/${leaver.id}`), 'The removal');
    await until(async () => expect(await statuses(file.url)).toEqual([200, 200, 404, 404, 401]));
    requireSuccess(await owner.api.delete(`/api/messages/${message.id as string}`), 'The erasure');
    await until(async () => expect(await statuses(file.url)).toEqual([200, 404, 404, 404, 401]));
  });

  it('someone without the file cannot send it, and a recipient may forward it', async () => {
    const file = await stored(owner);
    expect(await send(member, file.url)).toMatchObject({ status: 404, body: { code: 'file_not_found' } });
    requireSuccess(await send(owner, file.url), 'A message');
    requireSuccess(await send(member, file.url, { forwarded: true }), 'A forward');
    const [one, other] = [stranger, await signUpByPhone(url)];
    const direct = await converse(one, other);
    const elsewhere = { conversationId: direct.id, content: '', messageType: 'image', fileUrl: file.url };
    expect((await one.api.post('/api/messages', elsewhere)).status).toBe(404);
  });

  it('details of a message about its file are checked against the file', async () => {
    const { url: fileUrl, size } = await stored(owner);
    const sent = requireSuccess(
      await send(owner, fileUrl, { fileSize: 99_999_999, mediaInfo: '{"width":1}' }),
      'A message',
    ).body;
    expect(sent).toMatchObject({ fileUrl, fileSize: size, mediaInfo: '{"width":1}', previewUrl: null });
    for (const messageType of ['video', 'voice', 'text']) {
      const { status, body } = await send(owner, fileUrl, { messageType, content: 'look' });
      expect([messageType, status, body.code]).toEqual([messageType, 400, 'message_invalid']);
    }
    const opaque = await stored(owner, 'notes.txt', Buffer.from('nothing but words'));
    expect((await send(owner, opaque.url)).status).toBe(400);
    requireSuccess(await send(owner, opaque.url, { messageType: 'file' }), 'A message');
  });

  it('members cannot send files in a group that forbids it', async () => {
    const file = await stored(member);
    requireSuccess(
      await owner.api.patch(`/api/group-chats/${groupId}`, { settings: { allowFileSharing: false } }),
      'The setting',
    );
    for (const messageType of ['image', 'file']) {
      expect(await send(member, file.url, { messageType })).toMatchObject({
        status: 403,
        body: { code: 'files_refused' },
      });
    }
    requireSuccess(await send(owner, (await stored(owner)).url), 'What the owner sends');
  });
});
