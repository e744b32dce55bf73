import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually, followEvents } from '@nolo/testing';
import { statusErrorKindAndCode, startStatus, type TestStatus } from './startStatus.ts';

let status: TestStatus;
beforeAll(async () => {
  status = await startStatus();
});
afterAll(() => status.stop());

const hour = 3_600_000;
const people = (count: number) => Promise.all(Array.from({ length: count }, () => status.person()));
const three = async () => (await people(3)) as [string, string, string];
const view = (actorId: string, statusId: string) => status.client.viewStatus({ actorId, statusId });
const viewers = async (actorId: string, statusId: string) =>
  (await status.client.listStatusViewers({ actorId, statusId })).viewers.map(({ userId }) => userId);
const own = async (actorId: string) =>
  (await status.client.listStatuses({ actorId })).statuses.filter(({ authorId }) => authorId === actorId);

describe('status updates', () => {
  test('are visible to their author and mutual contacts, except where either has blocked the other', async () => {
    const [ada, ben, cleo] = await three();
    await status.befriend(ada, ben);
    // Adds one-sided contacts in both directions.
    await status.publishEvent('event.identity.contacts_changed', { ownerId: ada, added: [cleo], removed: [] });
    const { id } = await status.post(ada);
    expect(await status.seen(ada)).toEqual([id]);
    expect(await status.seen(ben)).toEqual([id]);
    expect(await status.seen(cleo)).toEqual([]);
    expect(await statusErrorKindAndCode(view(cleo, id))).toBe('not_found status_not_found');

    for (const [blocker, blocked] of [
      [ada, ben],
      [ben, ada],
    ] as const) {
      await status.block(blocker, blocked);
      expect(await status.seen(ben)).toEqual([]);
      expect(await statusErrorKindAndCode(view(ben, id))).toBe('not_found status_not_found');
      await status.block(blocker, blocked, false);
    }
    expect(await status.seen(ben)).toEqual([id]);
    await status.publishEvent('event.identity.contacts_changed', { ownerId: ben, added: [], removed: [ada] });
    await eventually(async () => (await status.seen(ben)).length === 0);
  });

  test('can exclude some contacts or include only some, and the last choice applies to the next one', async () => {
    const [ada, ben, cleo] = await three();
    await status.befriend(ada, ben, cleo);
    const but = await status.post(ada, { audience: { mode: 'except', userIds: [ben] } });
    const after = await status.post(ada);
    const only = await status.post(ada, { audience: { mode: 'only', userIds: [ben, randomUUID()] } });
    expect(await status.seen(ben)).toEqual([only.id]);
    expect(await status.seen(cleo)).toEqual([but.id, after.id]);
    expect((await own(ada)).map(({ audienceMode }) => audienceMode)).toEqual(['except', 'except', 'only']);
    // The audience is hidden from other people.
    const [shown] = (await status.client.listStatuses({ actorId: ben })).statuses;
    expect(shown).toMatchObject({ audienceMode: undefined, viewCount: 0 });

    const everybody = { mode: 'contacts', userIds: [] };
    await status.client.setStatusAudience({ actorId: ada, audience: everybody });
    expect(await status.client.getStatusAudience({ actorId: ada })).toEqual(everybody);
    await eventually(() => status.framesTo(ada, 'status_settings_changed').length === 3);
    for (const audience of [
      { mode: 'only', userIds: [] },
      { mode: 'only', userIds: [ada] },
      { mode: 'contacts', userIds: [ben] },
      { mode: 'friends', userIds: [] },
      { mode: 'only', userIds: ['ben'] },
    ]) {
      expect(await statusErrorKindAndCode(status.client.setStatusAudience({ actorId: ada, audience }))).toBe(
        'invalid audience_invalid',
      );
    }
  });

  test('are reported to notifications for those who have neither viewed them nor muted the author', async () => {
    const [ada, ben, cleo] = await three();
    const [dan, eve] = (await people(2)) as [string, string];
    await status.befriend(ada, ben, cleo, dan);
    const { id: statusId } = await status.post(ada, { audience: { mode: 'except', userIds: [dan] } });
    const readers = async (userIds: string[] = []) =>
      (await status.client.listStatusReaders({ statusId, userIds })).userIds;
    expect((await readers()).sort()).toEqual([ben, cleo].sort());
    expect(await readers([ben, dan, eve])).toEqual([ben]);
    expect((await status.client.listStatusReaders({ statusId, afterUserId: ben, userIds: [] })).userIds).toEqual(
      [cleo].filter((id) => id > ben),
    );
    await view(ben, statusId);
    await status.client.setStatusMute({ actorId: cleo, authorId: ada, muted: true });
    expect(await readers()).toEqual([]);
    await status.client.setStatusMute({ actorId: cleo, authorId: ada, muted: false });
    await status.client.removeStatus({ actorId: ada, statusId });
    expect(await readers()).toEqual([]);
  });

  test('are listed in pages of authors, latest first, each with all their updates in order', async () => {
    const [reader, ...authors] = (await people(4)) as [string, string, string, string];
    await status.befriend(reader, ...authors);
    const posted = new Map<string, string[]>();
    for (const author of [...authors, ...authors.slice(0, 1)]) {
      status.clock.advance(1_000);
      posted.set(author, [...(posted.get(author) ?? []), (await status.post(author)).id]);
    }
    const mine = await status.post(reader);
    const [first, second, third] = authors;
    const page = (cursor?: string) => status.client.listStatuses({ actorId: reader, cursor, limit: 2 });
    const one = await page();
    expect(one.statuses.map(({ id }) => id)).toEqual([mine.id, ...posted.get(first!)!, ...posted.get(third!)!]);
    const two = await page(one.nextCursor);
    expect(two).toMatchObject({ nextCursor: undefined, statuses: [{ authorId: second }] });
    expect(await statusErrorKindAndCode(page('nonsense'))).toBe('invalid cursor_invalid');

    await status.client.setStatusMute({ actorId: reader, authorId: second!, muted: true });
    expect((await page(one.nextCursor)).statuses).toMatchObject([{ authorId: second, isMuted: true }]);
    await status.client.setStatusMute({ actorId: reader, authorId: second!, muted: false });
    expect((await page(one.nextCursor)).statuses).toMatchObject([{ isMuted: false }]);
  });
});

describe('posting', () => {
  test('notifies those who may see it, and is idempotent for the same client id', async () => {
    const [ada, ben, cleo] = await three();
    await status.befriend(ada, ben);
    const clientStatusId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => status.post(ada, { clientStatusId })));
    const [{ id } = { id: '' }] = answers;
    expect(answers.map((answer) => answer.id)).toEqual([id, id, id]);
    await eventually(() => status.framesTo(ben, 'status_posted').length > 0);
    for (const userId of [ada, ben]) {
      expect(status.framesTo(userId, 'status_posted')).toMatchObject([
        { id, userId: ada, content: 'hello', mediaUrl: null, clientStatusId },
      ]);
    }
    expect(status.framesTo(cleo, 'status_posted')).toEqual([]);

    await status.client.removeStatus({ actorId: ada, statusId: id });
    await status.client.removeStatus({ actorId: ada, statusId: id });
    await eventually(() => status.framesTo(ben, 'status_removed').length > 0);
    expect(status.framesTo(ben, 'status_removed')).toEqual([{ statusId: id, userId: ada }]);
    expect([await status.seen(ada), await status.seen(ben)]).toEqual([[], []]);
    // A late repetition does not restore it, and none of its content is stored.
    expect(await statusErrorKindAndCode(status.post(ada, { clientStatusId }))).toBe('conflict status_removed');
    expect(await status.db('statuses').where({ id }).first('content', 'audience_ids')).toEqual({
      content: '',
      audience_ids: [],
    });
    expect(await statusErrorKindAndCode(status.client.removeStatus({ actorId: ben, statusId: id }))).toBe(
      'not_found status_not_found',
    );
  });

  test('is limited in number and validated', async () => {
    const [ada, ben] = await three();
    const picture = status.storeFile(ada, 'image');
    const refused: [Parameters<typeof status.post>[1], string][] = [
      [{ content: '' }, 'invalid status_invalid'],
      [{ content: 'a\0b' }, 'invalid status_invalid'],
      [{ content: 'x'.repeat(limits.statusContentBytes + 1) }, 'too_large status_too_large'],
      [{ mediaType: 'voice' }, 'invalid status_invalid'],
      [{ mediaType: 'image' }, 'invalid status_invalid'],
      [{ fileId: picture }, 'invalid status_invalid'],
      [{ mediaType: 'video', fileId: picture }, 'invalid status_invalid'],
      [{ mediaType: 'image', fileId: picture, previewFileId: picture }, 'invalid status_invalid'],
      [{ mediaType: 'image', fileId: status.storeFile(ben, 'image') }, 'not_found file_not_found'],
      [
        { mediaType: 'video', fileId: status.storeFile(ada, 'video', limits.statusMediaBytes + 1) },
        'too_large status_too_large',
      ],
    ];
    for (const [more, refusal] of refused) expect(await statusErrorKindAndCode(status.post(ada, more))).toBe(refusal);
    const all = Array.from({ length: limits.statusesPerUser + 5 }, () => statusErrorKindAndCode(status.post(ada)));
    const outcomes = await Promise.all(all);
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(limits.statusesPerUser);
    expect(outcomes.filter((outcome) => outcome === 'conflict too_many_statuses')).toHaveLength(5);
  });
});

describe('an expired status update', () => {
  test('is hidden from that moment on, and deleted with its views, frames and files', async () => {
    const [ada, ben] = await three();
    await status.befriend(ada, ben);
    const fileId = status.storeFile(ada, 'video');
    const previewFileId = status.storeFile(ada, 'image');
    const media = { mediaType: 'video', content: '', fileId, previewFileId };
    const posted = await status.post(ada, media);
    const { id } = posted;
    expect(posted.expiresAt!.getTime() - posted.createdAt!.getTime()).toBe(24 * hour);
    await view(ben, id);
    const canRead = async (actorId: string, file: string) =>
      (await status.client.canReadStatusFile({ actorId, fileId: file })).allowed;
    const named = async () =>
      (await status.client.listStatusFiles({ fileIds: [fileId, previewFileId, randomUUID()] })).fileIds;
    expect([await canRead(ben, fileId), await canRead(ben, previewFileId)]).toEqual([true, true]);
    expect(await canRead(randomUUID(), fileId)).toBe(false);
    // Readers may keep the file no longer than the status update lasts.
    expect((await status.client.canReadStatusFile({ actorId: ben, fileId })).until).toEqual(posted.expiresAt);
    expect(await named()).toEqual([fileId, previewFileId]);

    const released: unknown[] = [];
    const stop = await followEvents(status.db, ['event.status.files_released'], ({ data }) => released.push(data));
    status.clock.set(new Date(posted.expiresAt!.getTime() - 1));
    expect(await status.seen(ben)).toEqual([id]);
    status.clock.advance(1);
    expect(await status.seen(ben)).toEqual([]);
    expect(await status.seen(ada)).toEqual([]);
    expect(await canRead(ben, fileId)).toBe(false);
    expect(await named()).toEqual([]);
    expect(await statusErrorKindAndCode(view(ben, id))).toBe('not_found status_not_found');
    await eventually(async () => (await status.db('statuses').where({ id }).first('id')) === undefined);
    expect(await status.db('views').where({ status_id: id })).toEqual([]);
    await eventually(() => released.length > 0);
    stop();
    expect(released).toEqual([{ fileIds: [fileId, previewFileId] }]);
  });
});

describe('views', () => {
  test('count once per person and never for the author, who is notified of each', async () => {
    const [ada, ben, cleo] = await three();
    await status.befriend(ada, ben, cleo);
    const { id } = await status.post(ada);
    const before = await status.figure('nolo_status_views_total');
    await Promise.all([view(ben, id), view(ben, id), view(ada, id)]);
    status.clock.advance(1_000);
    await view(cleo, id);
    expect(await own(ada)).toMatchObject([{ viewCount: 2, hasViewed: false }]);
    expect((await status.figure('nolo_status_views_total')) - before).toBe(2);
    expect(await viewers(ada, id)).toEqual([cleo, ben]);
    expect(await statusErrorKindAndCode(viewers(ben, id))).toBe('not_found status_not_found');
    const [seen] = (await status.client.listStatuses({ actorId: ben })).statuses;
    expect(seen).toMatchObject({ id, viewCount: 0, hasViewed: true });
    await eventually(() => status.framesTo(ada, 'status_viewed').length === 2);
    expect(status.framesTo(ada, 'status_viewed').map(({ userId }) => userId)).toEqual([ben, cleo]);
    expect(status.framesTo(ben, 'status_seen')).toEqual([{ statusId: id }]);

    const page = await status.client.listStatusViewers({ actorId: ada, statusId: id, limit: 1 });
    expect(page.viewers).toMatchObject([{ userId: cleo }]);
    const rest = { actorId: ada, statusId: id, cursor: page.nextCursor, limit: 1 };
    expect(await status.client.listStatusViewers(rest)).toMatchObject({
      nextCursor: undefined,
      viewers: [{ userId: ben }],
    });
  });

  test('stay hidden if the viewer does not share receipts, and an author who does not share sees none', async () => {
    const [ada, ben, cleo] = await three();
    await status.befriend(ada, ben, cleo);
    await status.shareReceipts(ben, false);
    const { id } = await status.post(ada);
    await view(ben, id);
    await view(cleo, id);
    expect(await own(ada)).toMatchObject([{ viewCount: 1 }]);
    expect(await viewers(ada, id)).toEqual([cleo]);
    expect((await status.client.listStatuses({ actorId: ben })).statuses).toMatchObject([{ hasViewed: true }]);
    await status.shareReceipts(ada, false);
    expect(await own(ada)).toMatchObject([{ viewCount: 0 }]);
    expect(await viewers(ada, id)).toEqual([]);
    await eventually(() => status.framesTo(ada, 'status_viewed').length > 0);
    expect(status.framesTo(ada, 'status_viewed').map(({ userId }) => userId)).toEqual([cleo]);
  });
});

test('a deleted person leaves nothing, and those who saw their updates are notified', async () => {
  const [ada, ben] = await three();
  await status.befriend(ada, ben);
  const { id } = await status.post(ada, { audience: { mode: 'only', userIds: [ben] } });
  const theirs = await status.post(ben, { audience: { mode: 'except', userIds: [randomUUID()] } });
  await status.client.setStatusAudience({ actorId: ben, audience: { mode: 'except', userIds: [ada] } });
  await view(ada, theirs.id);
  await status.client.setStatusMute({ actorId: ada, authorId: ben, muted: true });
  await status.client.setStatusMute({ actorId: ben, authorId: ada, muted: true });
  await status.publishEvent('event.identity.user_deleted', { userId: ada });
  await eventually(() => status.framesTo(ben, 'status_removed').length > 0);
  expect(status.framesTo(ben, 'status_removed')).toEqual([{ statusId: id, userId: ada }]);
  const left = await Promise.all(
    [
      status.db('statuses').where({ author_id: ada }),
      status.db('views').where({ viewer_id: ada }),
      status.db('audiences').where({ user_id: ada }),
      status.db('audiences').whereRaw('user_ids @> array[?::uuid]', [ada]),
      status.db('mutes').where({ user_id: ada }).orWhere({ author_id: ada }),
      status.db('contacts').where({ owner_id: ada }).orWhere({ user_id: ada }),
    ].map(async (rows) => (await rows).length),
  );
  expect(left).toEqual([0, 0, 0, 0, 0, 0]);
});
