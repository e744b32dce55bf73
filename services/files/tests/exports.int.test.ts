import { newId } from '@nolo/kit/ids';
import type { StoreFileRequest } from '@nolo/proto/sharedFiles';
import { eventually, followEvents, parseAccountExport } from '@nolo/testing';
import { aConversation, aMessage } from '@nolo/testing/protos';
import { archiveLifetimeMs } from '../src/domain/exports.ts';
import { startFiles } from './startFiles.ts';

let files: Awaited<ReturnType<typeof startFiles>>;
const textIn = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const parts = [{ name: 'account', json: '{"profile":{"displayName":"Ann"}}' }];

beforeAll(async () => {
  files = await startFiles({}, { timing: { holdMs: 900, sweepEveryMs: 100, graceMs: 50 } });
});
afterAll(() => files.stop());
beforeEach(() => {
  files.messages.kept.reads = 0;
  files.messages.kept.gate = Promise.resolve();
  files.messages.kept.messages = [];
  files.messages.kept.conversations = [];
});

/** Session that was just proven. */
const sessionId = newId();
const start = (actorId: string, language = 'en') => files.exports.startExport({ actorId, sessionId, language, parts });
const stateOf = async (actorId: string) => (await files.exports.getExport({ actorId })).export?.state;
const become = (actorId: string, state: string | undefined) =>
  eventually(async () => (await stateOf(actorId)) === state);

async function archiveOf(actorId: string, session: string | undefined = sessionId) {
  const chunks: Buffer[] = [];
  for await (const { part } of files.exports.readExport({ actorId, sessionId: session, range: undefined })) {
    if (part?.$case === 'chunk') chunks.push(part.value);
  }
  return parseAccountExport(Buffer.concat(chunks));
}

function* storing(actorId: string, name: string, text: string): Generator<StoreFileRequest> {
  yield { part: { $case: 'header', value: { actorId, name, multipart: false } } };
  yield { part: { $case: 'chunk', value: Buffer.from(text) } };
}
const store = (actorId: string, name: string, text: string) => files.shared.storeFile(storing(actorId, name, text));

/** Creates a person with two messages, the second of which has a file from another person. */
async function createSenderWithFiles() {
  const [actorId, other, conversationId] = [newId(), newId(), newId()];
  const mine = await store(actorId, 'My <plan>.txt', 'what I sent');
  const theirs = await store(other, '../../sent.txt', 'what I was sent');
  await store(other, 'unseen.txt', 'what nobody sent me');
  const attachment = { fileUrl: `/objects/${theirs.id}`, fileSize: 15 };
  files.messages.kept.conversations = [aConversation({ id: conversationId, type: 'direct' })];
  files.messages.kept.messages = [
    aMessage({ conversationId, content: '{"v":1,"text":"one"}' }),
    aMessage({ conversationId, senderId: other, attachment }),
  ];
  return { actorId, mine, theirs };
}

/** Blocks the archive halfway, after its first message. */
function holdUp() {
  const { promise, resolve } = Promise.withResolvers<void>();
  files.messages.kept.gate = promise;
  return resolve;
}
const underWay = () => eventually(() => files.messages.kept.reads > 0);
const archives = async () => (await files.db('exports').select('id').pluck('id')) as string[];

it('is one archive with everything, including files sent and received and a start page', async () => {
  const { actorId, mine, theirs } = await createSenderWithFiles();
  const invitation = { conversationId: newId(), name: 'Chess', invitedBy: newId() };
  files.messages.kept.invitations = [{ ...invitation, memberCount: 3, invitedAt: new Date(0) }];
  const [vaultId, clientMessageId, bytes] = [newId(), newId(), Buffer.from('sealed')];
  files.messages.kept.vaults = [
    {
      vaultId,
      item: {
        $case: 'epoch',
        value: {
          header: { body: bytes, signature: bytes },
          roster: bytes,
          boxes: [{ deviceId: vaultId, box: bytes }],
          previousSecret: undefined,
        },
      },
    },
    {
      vaultId,
      item: { $case: 'row', value: { row: 1, clientMessageId, own: [bytes], sealed: bytes, at: new Date(0) } },
    },
  ];
  await files.upload(actorId, await picture());
  expect(await start(actorId, 'de')).toMatchObject({ state: 'running', step: 'account', percent: 0 });
  await become(actorId, 'ready');
  const { data, files: all } = await archiveOf(actorId);
  expect(data['account']).toEqual({ profile: { displayName: 'Ann' } });
  expect(data['messages']).toMatchObject([{ content: '{"v":1,"text":"one"}', encryption: 'none' }, {}]);
  expect(data['conversations']).toMatchObject([{ type: 'direct', disappearingSeconds: null }]);
  expect(data['groupInvitations']).toEqual([{ ...invitation, invitedAt: new Date(0).toISOString() }]);
  expect(data['statusAudience']).toEqual([{ mode: 'only', userIds: ['a-friend'] }]);
  const text = bytes.toString('base64');
  expect(data['vaults']).toEqual([
    {
      vaultId,
      header: text,
      signature: text,
      roster: text,
      boxes: [{ deviceId: vaultId, box: text }],
      previousSecret: null,
    },
    { vaultId, row: 1, clientMessageId, own: [text], sealed: text, storedAt: new Date(0).toISOString() },
  ]);
  const described = data['files'] as unknown as { id: string; mine: boolean; path: string }[];
  expect(described.map(({ id, mine: own }) => ({ id, own }))).toEqual(
    [
      { id: mine.id, own: true },
      { id: theirs.id, own: false },
    ].sort((one, two) => (one.id < two.id ? -1 : 1)),
  );
  const textOf = (id: string) => textIn(all[described.find((file) => file.id === id)?.path ?? '']);
  expect([textOf(mine.id), textOf(theirs.id)]).toEqual(['what I sent', 'what I was sent']);
  expect(all['pictures/profile-picture.webp']?.length).toBeGreaterThan(0);
  const page = textIn(all['index.html']);
  expect(page).toContain('Deine Daten aus Nolo');
  expect(page).toContain('My &#60;plan&#62;.txt');
  expect(Object.keys(all).filter((path) => path.includes('..'))).toEqual([]);
});

it('publishes once that it is ready, for its owner and for push', async () => {
  const { actorId } = await createSenderWithFiles();
  const events: unknown[] = [];
  await followEvents(files.db, ['event.files.export_ready'], ({ data }) => void events.push(data));
  const { id } = await start(actorId);
  await become(actorId, 'ready');
  await eventually(() => events.some((data) => (data as { userId: string }).userId === actorId));
  expect(events.filter((data) => (data as { userId: string }).userId === actorId)).toEqual([
    { userId: actorId, exportId: id },
  ]);
});

it('includes the text of an unaccepted request, but not its files', async () => {
  const { actorId, mine, theirs } = await createSenderWithFiles();
  const [request] = files.messages.kept.conversations;
  request!.mySettings = {
    archivedAt: undefined,
    pinnedAt: undefined,
    mutedUntil: undefined,
    mutedExceptMentions: false,
    markedUnread: false,
    hiddenAt: undefined,
    clearedSeq: 0,
    requestedAt: new Date(),
  };
  await start(actorId);
  await become(actorId, 'ready');
  const { data, files: all } = await archiveOf(actorId);
  expect(data['messages']).toHaveLength(2);
  expect((data['files'] as unknown as { id: string }[]).map(({ id }) => id)).toEqual([mine.id]);
  expect(Object.keys(all).filter((path) => path.includes(theirs.id))).toEqual([]);
});

it('cannot be started or read with an old proof, without a session, or when identity is unreachable', async () => {
  const { actorId } = await createSenderWithFiles();
  await start(actorId);
  await become(actorId, 'ready');
  const [old, unknown] = [newId(), newId()];
  files.proofs.outdated.add(old);
  files.proofs.unknown.add(unknown);
  const askings = [
    [old, { kind: 'forbidden', code: 'proof_required' }],
    ['', { kind: 'forbidden', code: 'proof_required' }],
    [unknown, { kind: 'unavailable', code: 'proof_unavailable' }],
  ] as const;
  for (const [session, refusal] of askings) {
    await expect(archiveOf(actorId, session)).rejects.toMatchObject(refusal);
    const begun = files.exports.startExport({ actorId, sessionId: session, language: 'en', parts });
    await expect(begun).rejects.toMatchObject(refusal);
  }
  expect(await stateOf(actorId)).toBe('ready');
});

it('belongs to its owner only, and does not exist for anyone who requested none', async () => {
  const { actorId } = await createSenderWithFiles();
  await start(actorId);
  await become(actorId, 'ready');
  const stranger = newId();
  expect(await files.exports.getExport({ actorId: stranger })).toEqual({ export: undefined });
  await expect(archiveOf(stranger)).rejects.toMatchObject({ code: 'export_not_found' });
  await files.exports.cancelExport({ actorId: stranger });
  expect(await stateOf(actorId)).toBe('ready');
});

it('is created once at a time, and cannot be read before it is complete', async () => {
  const { actorId } = await createSenderWithFiles();
  const goOn = holdUp();
  const first = await start(actorId);
  await underWay();
  expect(await start(actorId)).toMatchObject({ id: first.id, state: 'running' });
  await expect(archiveOf(actorId)).rejects.toMatchObject({ code: 'export_not_found' });
  goOn();
  await become(actorId, 'ready');
  expect(files.messages.kept.reads).toBe(1);
});

it('restarts if its worker stopped midway, and never exists twice', async () => {
  const { actorId } = await createSenderWithFiles();
  holdUp();
  const { id } = await start(actorId);
  await underWay();
  files.messages.kept.gate = Promise.resolve();
  await files.restart();
  await become(actorId, 'ready');
  expect(files.messages.kept.reads).toBe(2);
  expect((await archiveOf(actorId)).data['messages']).toHaveLength(2);
  expect((await files.stored()).filter((name) => name === id)).toEqual([id]);
});

it('is taken over from an unresponsive worker, whose later writes are ignored', async () => {
  const { actorId } = await createSenderWithFiles();
  const goOn = holdUp();
  const { id } = await start(actorId);
  await underWay();
  await files
    .db('jobs')
    .where({ id })
    .update({ held_by: newId(), held_until: new Date(0) });
  await eventually(() => files.messages.kept.reads > 1);
  goOn();
  await become(actorId, 'ready');
  expect((await archiveOf(actorId)).data['messages']).toHaveLength(2);
});

it('can be cancelled midway, leaving nothing behind', async () => {
  const { actorId } = await createSenderWithFiles();
  const goOn = holdUp();
  const { id } = await start(actorId);
  await underWay();
  await files.exports.cancelExport({ actorId });
  expect(await stateOf(actorId)).toBeUndefined();
  goOn();
  await eventually(async () => (await files.db('jobs').where({ id })).length === 0);
  await files.exports.cancelExport({ actorId });
  expect(await archives()).not.toContain(id);
  expect(await files.stored()).not.toContain(id);
});

it('is available for a day, and its bytes are deleted with it', async () => {
  const { actorId } = await createSenderWithFiles();
  const { id } = await start(actorId);
  await become(actorId, 'ready');
  expect(await files.stored()).toContain(id);
  files.clock.advance(archiveLifetimeMs);
  expect(await stateOf(actorId)).toBeUndefined();
  await expect(archiveOf(actorId)).rejects.toMatchObject({ code: 'export_not_found' });
  await eventually(async () => !(await files.stored()).includes(id));
  expect(await archives()).not.toContain(id);
});

it('is deleted with the account', async () => {
  const { actorId } = await createSenderWithFiles();
  const { id } = await start(actorId);
  await become(actorId, 'ready');
  await files.publishEvent('event.identity.user_deleted', { userId: actorId });
  await become(actorId, undefined);
  files.clock.advance(300_000);
  await eventually(async () => !(await files.stored()).includes(id));
});

it('eventually fails if its data is unavailable, and can be requested three times a day', async () => {
  const { actorId } = await createSenderWithFiles();
  holdUp();
  const { id } = await start(actorId);
  await underWay();
  // State left by a worker that dies on every attempt.
  await files.db('jobs').where({ id }).update({ state: 'parked', held_by: null });
  files.clock.advance(300_000);
  await become(actorId, 'failed');
  files.messages.kept.gate = Promise.resolve();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await start(actorId);
    await become(actorId, 'ready');
  }
  await expect(start(actorId)).rejects.toMatchObject({ code: 'rate_limited' });
});

async function picture() {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
}
