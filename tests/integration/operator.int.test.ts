import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../scripts/paths.ts';
import type { AdminReport } from '@nolo/api';
import { eventually, signUpByPhone, TestApi, type TestReply, type TestUser } from '@nolo/testing';
import { enterMeetingBySocket } from '../support/authorization/meetingCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
const [url = ''] = running.urls;

async function letIn(): Promise<TestUser> {
  const operator = await signUpByPhone(url);
  await running.letIn(operator.id);
  return operator;
}

/** Returns the output of the gateway's command line. */
async function command(...words: string[]): Promise<string[]> {
  const argv = ['--no-warnings', join(projectRoot, 'services/gateway/src/admin.ts'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { env: running.gatewayAdminEnv });
  return stdout.trim().split('\n');
}

type Rooms = { id: string; hostId: string; people: number }[];

test('an operator sees who hosts a live room and how many are there, and ends it for everyone', async () => {
  const [opal, ada, ben] = [await letIn(), await signUpByPhone(url), await signUpByPhone(url)];
  const name = 'Nobody else is to read this';
  const { roomCode } = requireSuccess(await ada.api.post('/api/meetings/create', { name }), 'A meeting').body as {
    roomCode: string;
  };
  const [adas, bens] = [await ada.connectSocket(), await ben.connectSocket()];
  await enterMeetingBySocket(adas, roomCode);
  await enterMeetingBySocket(bens, roomCode);

  const rooms: Rooms = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: TestReply = await opal.api.get(`/api/admin/rooms?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    rooms.push(...(page.body as Rooms));
    cursor = page.headers.get('nolo-next-cursor');
  }
  const room = rooms.find(({ hostId }) => hostId === ada.id);
  expect(room).toMatchObject({ kind: 'meeting', people: 2 });
  expect(JSON.stringify(room)).not.toContain(name);
  expect(JSON.stringify(room)).not.toContain(roomCode);

  const listed = await command('rooms', 'list');
  expect(listed.find((line) => line.startsWith(room?.id ?? '-'))).toContain(`meeting of ${ada.id}  2 people`);

  const path = `/api/admin/rooms/${room?.id ?? ''}/end`;
  expect((await ada.api.post(path, { reason: 'A test.' })).status).toBe(403);
  expect((await opal.api.post(path, { reason: ' ' })).status).toBe(400);
  expect((await opal.api.post(path, { reason: 'A test.' })).status).toBe(204);
  for (const socket of [adas, bens]) {
    expect((await socket.next('meeting_ended')).data).toEqual({ roomCode, reason: 'ended' });
  }
  const retry = await opal.api.post(path, { reason: 'A test.' });
  expect([retry.status, retry.body.code]).toEqual([409, 'meeting_over']);
  const [act] = (await opal.api.get('/api/admin/audit?limit=1')).body as Record<string, unknown>[];
  expect(act).toMatchObject({ action: 'room_ended', reason: 'A test.', operatorId: opal.id });
  await Promise.all([adas.close(), bens.close()]);
});

test('the command line shows services and ends rooms, and refuses people without a pass', async () => {
  const [opal, ada] = [await letIn(), await signUpByPhone(url)];
  const { roomCode } = requireSuccess(await ada.api.post('/api/meetings/create', { name: 'Tea' }), 'A meeting')
    .body as {
    roomCode: string;
  };
  const socket = await ada.connectSocket();
  await enterMeetingBySocket(socket, roomCode);
  const room = (await command('rooms', 'list')).find((line) => line.includes(ada.id))?.split(' ')[0] ?? '';
  expect(await command('rooms', 'end', room, '--reason', 'A test.')).toEqual([`${room} was ended.`]);
  expect((await socket.next('meeting_ended')).data).toEqual({ roomCode, reason: 'ended' });
  const acts = (await opal.api.get('/api/admin/audit?limit=100')).body as Record<string, unknown>[];
  expect(acts).toContainEqual(
    expect.objectContaining({ action: 'room_ended', operatorId: null, details: JSON.stringify({ room }) }),
  );
  expect((await command('state')).filter((line) => /^(chat|identity|meetings)  version /.test(line))).toHaveLength(3);
  await expect(command('rooms', 'end', room)).rejects.toThrow('--reason');
  await expect(command('jobs', 'retry', 'status', 'event', 'identity', ada.id)).rejects.toThrow('already been handled');
  await socket.close();
});

test('the report of a group names its current owner, on the page and on the command line', async () => {
  const [opal, ada, ben] = [await letIn(), await signUpByPhone(url), await signUpByPhone(url)];
  const made = requireSuccess(await ada.api.post('/api/group-chats/create', { name: 'Tea' }), 'A group');
  const { id: groupId } = made.body as { id: string };
  const body = { kind: 'group', targetId: groupId, category: 'spam' };
  const { id } = requireSuccess(await ben.api.post('/api/reports', body), 'A report').body as { id: string };
  const read = async () => {
    const { body: reports } = await opal.api.get('/api/admin/reports?state=open&limit=50');
    return (reports as AdminReport[]).find((one) => one.id === id);
  };
  requireSuccess(await ada.api.put('/api/profile', { firstName: 'Ada', lastName: 'Agu' }), 'A name');
  const groupOwner = { id: ada.id, displayName: 'Ada Agu' };
  expect(await read()).toMatchObject({ reportedId: null, groupOwner });
  expect(await command('groups', 'owner', groupId)).toEqual([`${groupId} is owned by ${ada.id}.`]);
  const [act] = (await opal.api.get('/api/admin/audit?limit=1')).body as Record<string, unknown>[];
  expect(act).toMatchObject({
    action: 'group_looked_up',
    operatorId: null,
    details: JSON.stringify({ group: groupId }),
  });

  expect((await ada.api.post(`/api/group-chats/${groupId}/leave`)).status).toBe(204);
  expect(await read()).toMatchObject({ groupOwner: null });
  const closed = { state: 'closed', outcome: 'nothing', note: 'It is gone.' };
  expect((await opal.api.post(`/api/admin/reports/${id}`, closed)).body).toMatchObject({ groupOwner: null });
  expect(await command('groups', 'owner', groupId)).toEqual([`${groupId} is no longer a group.`]);
});

test('a host barred by an operator is known to every gateway, and no post goes there', async () => {
  const [opal, ada] = [await letIn(), await signUpByPhone(url)];
  const host = `evil-${randomUUID()}.example`;
  const body = { hosts: [`https://${host}/login`], withSubdomains: true, reason: 'It asks for passwords.' };
  expect((await opal.api.post('/api/admin/barred-hosts', body)).body).toMatchObject([{ host, withSubdomains: true }]);
  for (const gateway of running.urls) {
    const list = async () => (await new TestApi(gateway).get('/api/barred-hosts')).body as { hosts: string[] };
    await eventually(async () => (await list()).hosts.includes(`*.${host}`));
  }
  const post = { content: `See login.${host}!`, platforms: [], clientPostId: randomUUID() };
  const refused = await eventually(async () => {
    const reply = await ada.api.post('/api/social/posts', post);
    return reply.body.code === 'post_link_barred' && reply;
  });
  expect(refused.body).toMatchObject({ details: { host: `login.${host}` } });
  const unbar = { host, reason: 'A test is over.' };
  expect((await opal.api.post('/api/admin/barred-hosts/unbar', unbar)).status).toBe(204);
  expect((await opal.api.get(`/api/admin/barred-hosts?q=${host}`)).body).toEqual([]);
});
