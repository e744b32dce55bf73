import { randomUUID } from 'node:crypto';
import type { AccountKeys, DeviceLink, Epoch, OwnKeys } from '@nolo/api';
import { checkChain, createLinkCode, fromUuid, openLinkAnswer, sealLinkAnswer, toPin, type Bytes } from '@nolo/e2ee';
import { limits, rateLimits } from '@nolo/rules';
import { converse, eventually, signInByPhone, signUpByPhone, TestApi, TestSocket, type TestUser } from '@nolo/testing';
import {
  createTestBoxKeys,
  createTestDevice,
  createTestOffer,
  signFirstList,
  signNextList,
  signTestClaim,
  toMessage,
  type SignedList,
  type TestDevice,
} from '@nolo/testing/keys';
import type { NewEpoch } from '@nolo/proto/keys';
import { sealAnswer, sealVaultRow, signTestNack, signVaultEpoch, vaultUuidOf } from '@nolo/testing/vaults';
import { must } from '../support/authorization/authorizationCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let here: string;
beforeAll(() => {
  [here = ''] = running.urls;
});

const toText = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('base64url');
const toBytes = (text: string | null | undefined): Bytes => Uint8Array.from(Buffer.from(text ?? '', 'base64url'));
const toJson = ({ body, signature }: { body?: Uint8Array | undefined; signature?: Uint8Array | undefined }) => ({
  body: toText(body),
  signature: toText(signature),
});
const toEpochJson = ({ header, roster, boxes, previousSecret }: NewEpoch) => ({
  header: toJson(header ?? {}),
  roster: toText(roster),
  boxes: boxes.map(({ deviceId, box }) => ({ deviceId, box: toText(box) })),
  ...(previousSecret && { previousSecret: toText(previousSecret) }),
});
const bodyOf = ({ message: { list, boxKeys, vault } }: SignedList) => ({
  list: toJson(list),
  boxKeys: boxKeys.map(toJson),
  ...(vault && { vault: toEpochJson(vault) }),
});
const add = ({ api }: Pick<TestUser, 'api'>, list: SignedList) => api.post('/api/keys/lists', bodyOf(list));

async function withKeys() {
  const ada = await signUpByPhone(here);
  const laptop = await createTestDevice(ada.id);
  const first = await signFirstList(laptop);
  expect(must(await add(ada, first), 'The list').body).toEqual({ chain: 0, n: 0, hash: toText(first.checked.hash) });
  return { ada, laptop, first };
}

const keysAt = async ({ api }: Pick<TestUser, 'api'>, path: string) =>
  must(await api.get(`/api/keys${path}`), 'The keys').body as AccountKeys;

test('a client checks the chain of a person, who then links a phone, renews keys, and returns after a sign-out', async () => {
  const { ada, laptop, first } = await withKeys();
  const ben = await signUpByPhone(here);
  await converse(ada, ben);
  const socket = await TestSocket.open(running.urls[1]!, ben.api.token);
  const own = await TestSocket.open(here, ada.api.token);

  const seen = await keysAt(ben, `/${ada.id}`);
  const statements = seen.lists.map(({ body, signature }) => ({ body: toBytes(body), signature: toBytes(signature) }));
  expect(await checkChain(statements)).toEqual(first.checked);

  const atPhone = await signInByPhone(here, ada.phone);
  const phone = await createTestDevice(ada.id);
  const offer = await createTestOffer(phone);
  const begun = must(await atPhone.api.post('/api/keys/links', { offer: toText(offer) }), 'A link').body as DeviceLink;
  expect(begun).toMatchObject({ id: phone.uuid, state: 'offered', own: true });
  expect((await own.next('device_link_changed')).data).toEqual({ id: phone.uuid });
  const link = `/api/keys/links/${phone.uuid}`;
  const scanned = must(await ada.api.get(link), 'The link').body as DeviceLink;
  expect(toBytes(scanned.offer)).toEqual(offer);
  const second = await signNextList(first.checked, laptop, { add: [phone] });
  must(await add(ada, second), 'The list');
  expect((await socket.next('devices_changed')).data).toEqual({ userId: ada.id, chain: 0, n: 1 });
  expect((await own.next('devices_changed')).data).toEqual({ userId: ada.id, chain: 0, n: 1 });
  const code = await createLinkCode(phone.id, offer);
  must(
    await ada.api.put(`${link}/answer`, { answer: toText(await sealLinkAnswer(code, toPin(second.checked))) }),
    'It',
  );
  const { answer } = must(await atPhone.api.get(link), 'The link').body as DeviceLink;
  expect(await openLinkAnswer(code, toBytes(answer))).toEqual(toPin(second.checked));

  const renewed = await createTestBoxKeys(phone, { number: 1 });
  must(await atPhone.api.put('/api/keys/box-keys', { boxKeys: toJson(toMessage(renewed)) }), 'The box keys');
  expect((await keysAt(ben, `/${ada.id}?after=0`)).lists.map(({ n }) => n)).toEqual([1]);
  const keysOf = async (rest: object) => {
    const body = {
      accounts: [{ userId: ada.id, known: [laptop, phone].map(({ uuid }) => ({ deviceId: uuid, number: 0 })) }],
    };
    const [found] = must(await ben.api.post('/api/keys/lookup', { ...body, ...rest }), 'The keys')
      .body as AccountKeys[];
    return found?.boxKeys.map(({ deviceId, number }) => ({ deviceId, number }));
  };
  expect(await keysOf({})).toEqual([{ deviceId: phone.uuid, number: 1 }]);
  expect(await keysOf({ boxKeys: false })).toEqual([]);
  await atPhone.api.get('/api/logout');
  expect((await socket.next('devices_changed')).data).toEqual({ userId: ada.id, chain: 0, n: 1 });
  expect((await keysAt(ben, `/${ada.id}`)).suspended).toEqual([phone.uuid]);
  const back = await signInByPhone(here, ada.phone);
  const { sessionId } = must(await back.api.get('/api/keys'), 'The keys').body as OwnKeys;
  const signature = toText(await signTestClaim(phone, sessionId));
  must(await back.api.post(`/api/keys/devices/${phone.uuid}/claim`, { signature }), 'The claim');
  const { devices, suspended } = must(await back.api.get('/api/keys'), 'The keys').body as OwnKeys;
  expect(devices.find(({ current }) => current)).toMatchObject({ id: phone.uuid, suspendedAt: null });
  expect(suspended).toEqual([]);
  await Promise.all([socket.close(), own.close()]);
});

test('a removed device is signed out at every gateway at once', async () => {
  const { ada, laptop, first } = await withKeys();
  const phone = await createTestDevice(ada.id);
  const second = await signNextList(first.checked, laptop, { add: [phone] });
  must(await add(ada, second), 'The list');
  const atPhone = await signInByPhone(here, ada.phone);
  const { sessionId } = must(await atPhone.api.get('/api/keys'), 'The keys').body as OwnKeys;
  const signature = toText(await signTestClaim(phone, sessionId));
  must(await atPhone.api.post(`/api/keys/devices/${phone.uuid}/claim`, { signature }), 'The claim');
  const there = new TestApi(running.urls[1]!, atPhone.api.token);
  must(await there.get('/api/keys'), 'The keys');
  const third = bodyOf(await signNextList(second.checked, laptop, { remove: [phone] }));
  await running.prove(ada.id, 'yesterday');
  for (const removes of [true, undefined]) {
    const reply = await ada.api.post('/api/keys/lists', { ...third, removes });
    expect([reply.status, reply.body.code]).toEqual([403, 'proof_required']);
  }
  await running.prove(ada.id, 'now');
  must(await ada.api.post('/api/keys/lists', { ...third, removes: true }), 'The list');
  expect((await atPhone.api.get('/api/keys')).status).toBe(401);
  await eventually(async () => (await there.get('/api/keys')).status === 401, { timeoutMs: 8_000 });
});

/** Creates an account with two devices in sessions of their own. */
async function withTwo() {
  const owner = await withKeys();
  const phone = await createTestDevice(owner.ada.id);
  const second = await signNextList(owner.first.checked, owner.laptop, { add: [phone] });
  must(await add(owner.ada, second), 'The list');
  const atPhone = await signInByPhone(here, owner.ada.phone);
  const { sessionId } = must(await atPhone.api.get('/api/keys'), 'The keys').body as OwnKeys;
  const signature = toText(await signTestClaim(phone, sessionId));
  must(await atPhone.api.post(`/api/keys/devices/${phone.uuid}/claim`, { signature }), 'The claim');
  return { ...owner, phone, second, atPhone };
}

test('two devices share a vault: epochs, rows, and requests for secrets reach the other one at another gateway', async () => {
  const { ada, laptop, phone, second, atPhone } = await withTwo();
  const vaultId = vaultUuidOf(second.epoch);
  const own = await TestSocket.open(running.urls[1]!, ada.api.token);
  const listed = must(await atPhone.api.get(`/api/epochs/${vaultId}?from=1`), 'The epochs').body as {
    items: Epoch[];
    more: boolean;
  };
  expect(listed).toMatchObject({ more: false, items: [{ n: 1, hash: toText(second.epoch.checked.hash) }] });
  const box = second.message.vault!.boxes.find(({ deviceId }) => deviceId === phone.uuid)!.box;
  expect(toBytes(listed.items[0]!.box)).toEqual(Uint8Array.from(box!));

  const next = await signVaultEpoch(second.checked, phone, second.epoch);
  const commit = () => atPhone.api.post(`/api/epochs/${vaultId}`, toEpochJson(next.message));
  const accepted = { n: 2, hash: toText(next.checked.hash) };
  expect(must(await commit(), 'The epoch').body).toEqual(accepted);
  expect((await own.next('epochs_changed')).data).toEqual({ conversationId: vaultId, n: 2 });
  expect(must(await commit(), 'The epoch').body).toEqual(accepted);
  const rival = await signVaultEpoch(second.checked, laptop, second.epoch);
  const lost = await ada.api.post(`/api/epochs/${vaultId}`, toEpochJson(rival.message));
  expect([lost.status, lost.body.code, lost.body.details]).toEqual([409, 'epoch_stale', { n: 2, reason: 'newer' }]);

  const clientMessageId = randomUUID();
  const hash = toText(Buffer.alloc(32, 1));
  const sealed = toText(await sealVaultRow(next, phone, fromUuid(clientMessageId)));
  const addRow = () => atPhone.api.post(`/api/vault/${vaultId}/rows`, { clientMessageId, own: [hash], sealed });
  expect(must(await addRow(), 'The row').body).toEqual({ row: 1 });
  expect((await own.next('vault_changed')).data).toEqual({ conversationId: vaultId, row: 1 });
  expect(must(await addRow(), 'The row').body).toEqual({ row: 1 });
  expect(must(await ada.api.get(`/api/vault/${vaultId}/rows?after=0`), 'The rows').body).toEqual({
    items: [{ row: 1, clientMessageId, own: [hash], sealed }],
    more: false,
  });
  const deleted = await atPhone.api.request('DELETE', `/api/vault/${vaultId}/rows?from=1&to=1&snapshot=2`);
  expect([deleted.status, deleted.body.code]).toEqual([400, 'row_refused']);

  const nack = toJson(await signTestNack(next, laptop));
  expect((await ada.api.post(`/api/epochs/${vaultId}/nacks`, nack)).status).toBe(204);
  expect((await own.next('nacks_changed')).data).toEqual({ conversationId: vaultId });
  expect(must(await atPhone.api.get(`/api/epochs/${vaultId}/nacks`), 'The requests').body).toEqual([nack]);
  const answer = toText(await sealAnswer(next, laptop.id));
  const answered = { deviceId: laptop.uuid, box: answer };
  expect((await atPhone.api.put(`/api/epochs/${vaultId}/2/answers`, answered)).status).toBe(204);
  expect((await atPhone.api.put(`/api/epochs/${vaultId}/2/answers`, answered)).status).toBe(404);
  const healed = must(await ada.api.get(`/api/epochs/${vaultId}?from=2`), 'The epochs').body as { items: Epoch[] };
  expect(healed.items).toMatchObject([{ n: 2, answer }]);

  const stranger = await signUpByPhone(here);
  for (const path of [`/api/epochs/${vaultId}`, `/api/vault/${vaultId}/rows`])
    expect((await stranger.api.get(path)).status).toBe(404);
  await own.close();
});

test('a list and its epoch are accepted together, or neither is', async () => {
  const { ada, laptop, first } = await withKeys();
  const vaultId = vaultUuidOf(first.epoch);
  const epochs = async () =>
    (must(await ada.api.get(`/api/epochs/${vaultId}`), 'The epochs').body as { items: Epoch[] }).items.map(
      ({ n }) => n,
    );
  const tablet = await createTestDevice(ada.id);
  const second = await signNextList(first.checked, laptop, { add: [tablet] });
  const { vault: _vault, ...alone } = bodyOf(second);
  const without = await ada.api.post('/api/keys/lists', alone);
  expect([without.status, without.body.code, without.body.details]).toEqual([400, 'list_refused', { reason: 'vault' }]);
  const message = { ...second.message.vault!, boxes: second.message.vault!.boxes.slice(1) };
  const incomplete = await ada.api.post('/api/keys/lists', { ...alone, vault: toEpochJson(message) });
  expect([incomplete.status, incomplete.body.code]).toEqual([400, 'epoch_refused']);
  expect([(await keysAt(ada, '')).newest, await epochs()]).toEqual([{ chain: 0, n: 0 }, [0]]);
  must(await add(ada, second), 'The list');
  expect([(await keysAt(ada, '')).newest, await epochs()]).toEqual([{ chain: 0, n: 1 }, [0, 1]]);
});

test('lists and epochs that the server lost come back from another device than their signer', async () => {
  const { ada, laptop, second, atPhone } = await withTwo();
  const vaultId = vaultUuidOf(second.epoch);
  const tablet = await createTestDevice(ada.id);
  const third = await signNextList(second.checked, laptop, { add: [tablet] });
  const foreign = await add(atPhone, third);
  expect([foreign.status, foreign.body.code]).toEqual([403, 'device_mismatch']);
  const show = (list: SignedList) => atPhone.api.post('/api/keys/lists', { ...bodyOf(list), lost: true });
  expect(must(await show(third), 'The list').body).toMatchObject({ n: 2 });
  const fourth = await signNextList(third.checked, laptop, { remove: [tablet] });
  must(await show(fourth), 'The list');
  const epoch = await signVaultEpoch(fourth.checked, laptop, third.epoch);
  // The next list is there before the epoch of the one before.
  must(
    await show(await signNextList(fourth.checked, laptop, { add: [await createTestDevice(ada.id, 2)] })),
    'The list',
  );
  const body = toEpochJson({ ...epoch.message, boxes: [] });
  const present = await atPhone.api.post(`/api/epochs/${vaultId}`, body);
  expect([present.status, present.body.code]).toEqual([400, 'epoch_refused']);
  const shown = await atPhone.api.post(`/api/epochs/${vaultId}`, { ...body, lost: true });
  expect(must(shown, 'The epoch').body).toEqual({ n: 3, hash: toText(epoch.checked.hash) });
});

test('bytes that are too long or no base64url are refused before anything reads them', async () => {
  const { api } = await signUpByPhone(here);
  const good = toText(Buffer.alloc(64));
  const body = toText(Buffer.alloc(100));
  const wrong: [string, string, unknown][] = [
    [
      'POST',
      '/lists',
      { list: { body: toText(Buffer.alloc(limits.deviceListBytes + 1)), signature: good }, boxKeys: [] },
    ],
    ['POST', '/lists', { list: { body, signature: good.slice(1) }, boxKeys: [] }],
    ['POST', '/lists', { list: { body: `${body}=`, signature: good }, boxKeys: [] }],
    ['POST', '/lists', { list: { body: 'A', signature: good }, boxKeys: [] }],
    ['POST', '/lists', { list: { body: '', signature: good }, boxKeys: [] }],
    ['PUT', '/box-keys', { boxKeys: { body: toText(Buffer.alloc(limits.boxKeysBytes + 1)), signature: good } }],
    ['POST', '/links', { commitment: toText(Buffer.alloc(33)) }],
    ['POST', '/links', {}],
    ['POST', '/lookup', { accounts: [{ userId: 'me' }] }],
    ['GET', '?after=-1', undefined],
  ];
  for (const [method, path, json] of wrong) {
    const reply = await api.request(method, `/api/keys${path}`, json === undefined ? {} : { body: json });
    expect([path, reply.status, reply.body.code]).toEqual([path, 400, 'invalid_input']);
  }
});

test('lists, renewals, and links are limited per day, and refused ones do not count', async () => {
  const { ada, laptop, first } = await withKeys();
  const rename = { list: toJson({ body: Buffer.alloc(9), signature: Buffer.alloc(64) }), boxKeys: [] };
  let last = first;
  for (let n = 1; n < rateLimits.deviceListsPerDeviceDay.points; n += 1) {
    expect((await ada.api.post('/api/keys/lists', rename)).status).toBe(400);
    // Devices without a session are suspended, so the next epochs leave them out.
    const epoch = { leftOut: last.checked.list.devices.filter(({ seniority }) => seniority > 0) };
    last = await signNextList(last.checked, laptop, { add: [await createTestDevice(ada.id)], epoch });
    must(await add(ada, last), 'The list');
  }
  const epoch = { leftOut: last.checked.list.devices.filter(({ seniority }) => seniority > 0) };
  const more = await signNextList(last.checked, laptop, { add: [await createTestDevice(ada.id)], epoch });
  expect((await add(ada, more)).status).toBe(429);
  // A removal is not limited.
  const added = last.checked.list.devices.at(-1)!;
  must(await add(ada, await signNextList(last.checked, laptop, { remove: [added] })), 'The removal');
  const renew = async (device: TestDevice, number: number) =>
    (
      await ada.api.put('/api/keys/box-keys', {
        boxKeys: toJson(toMessage(await createTestBoxKeys(device, { number }))),
      })
    ).status;
  for (let number = 1; number <= rateLimits.boxKeyRenewalsPerUserDay.points; number += 1)
    expect(await renew(laptop, number)).toBe(204);
  expect(await renew(laptop, 61)).toBe(429);
  const { api } = await signInByPhone(here, ada.phone);
  const begin = async () => (await api.post('/api/keys/links', { commitment: toText(Buffer.alloc(32)) })).status;
  for (let count = 0; count < rateLimits.deviceLinksPerUserDay.points; count += 1) expect(await begin()).toBe(201);
  expect(await begin()).toBe(429);
});
