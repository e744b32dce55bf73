import { randomBytes } from 'node:crypto';
import { connectBus } from '@nolo/kit/bus';
import { newId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import type { ReadSignedObjectRequest } from '@nolo/proto/files';
import { statusEndTime } from './createFakeStatus.ts';
import { createSharedFileFixtures, header, hour, photo, until, writing } from './sharedFileFixtures.ts';
import { startFiles } from './startFiles.ts';

let files: Awaited<ReturnType<typeof startFiles>>;

beforeAll(async () => {
  files = await startFiles();
});
afterAll(() => files.stop());

const { store, writePart } = createSharedFileFixtures(() => files);

describe('reading', () => {
  test('ends when a member leaves, without waiting for the cache to expire', async () => {
    const [actorId, reader, bystander] = [newId(), newId(), newId()];
    const { id } = await store(actorId, Buffer.from('words'));
    files.messages.sent.set(id, new Set([reader, bystander]));
    for (const who of [reader, bystander]) await files.read(id, who);
    files.messages.sent.get(id)!.clear();
    // Permissions are cached; the clock of this test does not advance.
    for (const who of [reader, bystander]) await expect(files.read(id, who)).resolves.toMatchObject({ size: 5 });
    const { natsUrl: url, natsPrefix: prefix } = files.environment;
    const bus = await connectBus({ url, prefix, name: 'test', log: createLog({ service: 'test', level: 'silent' }) });
    bus.publish('chat.member_left', { conversationId: newId(), userId: reader });
    await until(() => expect(files.read(id, reader)).rejects.toMatchObject({ code: 'object_not_found' }));
    await expect(files.read(id, bystander)).resolves.toMatchObject({ size: 5 });
    await bus.close();
  });

  test('is allowed for the uploader, and for those chat allows', async () => {
    const [actorId, reader] = [newId(), newId()];
    const { id } = await store(actorId, Buffer.from('words'));
    const refused = { kind: 'not_found', code: 'object_not_found' };
    await expect(files.read(id, reader)).rejects.toMatchObject(refused);
    await expect(files.shared.getFile({ actorId: reader, fileId: id })).rejects.toMatchObject(refused);
    files.messages.sent.set(id, new Set([reader]));
    await expect(files.read(id, reader)).resolves.toMatchObject({ size: 5, inline: false });
    const { calls: requested } = files.messages.state;
    await files.read(id, reader);
    expect(files.messages.state.calls).toBe(requested);
    files.messages.sent.get(id)!.delete(reader);
    files.clock.advance(5_000);
    await expect(files.read(id, reader)).rejects.toMatchObject(refused);
    await expect(files.read(id, actorId)).resolves.toMatchObject({ size: 5 });
    await expect(files.read('no id', actorId)).rejects.toMatchObject(refused);
  });

  test('a file uploaded in one piece exists as soon as its uploader needs it', async () => {
    const actorId = newId();
    const { fileId, target } = await files.shared.beginUpload(header(actorId, { name: 'a.txt' }));
    const check = () => files.shared.checkAttachable({ actorId, fileIds: [fileId], receivedIds: [] });
    await expect(check()).rejects.toMatchObject({ code: 'file_not_found' });
    await files.shared.writeBytes(writing(fileId, 0, target!, Buffer.from('words')));
    await expect(check()).resolves.toMatchObject({ files: [{ id: fileId, name: 'a.txt', size: 5 }] });
  });

  test('people can send files they own or have received', async () => {
    const [actorId, other] = [newId(), newId()];
    const { id } = await store(actorId, Buffer.from('words'));
    const check = (receivedIds: string[]) =>
      files.shared.checkAttachable({ actorId: other, fileIds: [id], receivedIds });
    await expect(check([])).rejects.toMatchObject({ code: 'file_not_found' });
    await expect(check([id])).resolves.toMatchObject({ files: [{ id }] });
  });
});

describe('sweeping', () => {
  const exists = async (actorId: string, fileId: string) => {
    const found = await files.shared.getFile({ actorId, fileId }).catch(() => undefined);
    const bytes = (await files.stored()).some((name) => name.startsWith(fileId));
    return [found !== undefined, bytes];
  };

  test('unsent files are deleted after a day, and sent ones are kept', async () => {
    const actorId = newId();
    const [kept, forgotten] = [await store(actorId, Buffer.from('a')), await store(actorId, Buffer.from('b'))];
    files.messages.sent.set(kept.id, new Set());
    files.clock.advance(23 * hour);
    expect(await exists(actorId, forgotten.id)).toEqual([true, true]);
    files.messages.state.away = true;
    files.clock.advance(2 * hour);
    expect(await exists(actorId, forgotten.id)).toEqual([true, true]);
    files.messages.state.away = false;
    await until(async () => expect(await exists(actorId, forgotten.id)).toEqual([false, false]));
    expect(await exists(actorId, kept.id)).toEqual([true, true]);
  });

  test('a file is deleted with the last message that names it, but not while it is being forwarded', async () => {
    const actorId = newId();
    const picture = await photo().png().toBuffer();
    const file = await store(actorId, picture, { kind: 'image' });
    const sentOn = await store(actorId, Buffer.from('sent on'));
    const both = [file.id, sentOn.id];
    for (const id of both) files.messages.sent.set(id, new Set());
    files.clock.advance(25 * hour);
    await until(async () => expect(await exists(actorId, file.id)).toEqual([true, true]));
    for (const id of both) files.messages.sent.delete(id);
    await files.shared.checkAttachable({ actorId, fileIds: [sentOn.id], receivedIds: [] });
    await files.publishEvent('event.chat.files_released', { fileIds: both });
    // The event takes some time, during which the service's clock does not advance.
    await until(async () => {
      files.clock.advance(10_000);
      expect(await exists(actorId, file.id)).toEqual([false, false]);
    });
    files.messages.sent.set(sentOn.id, new Set());
    files.clock.advance(hour);
    await expect(exists(actorId, sentOn.id)).resolves.toEqual([true, true]);
  });

  test('a file of a status update is readable by its audience, and is deleted with it', async () => {
    const [actorId, reader] = [newId(), newId()];
    const file = await store(actorId, Buffer.from('for a day'));
    files.updates.posted.set(file.id, new Set([reader]));
    files.clock.advance(25 * hour);
    await expect(files.read(file.id, reader)).resolves.toMatchObject({ size: 9, readableUntil: statusEndTime });
    await expect(files.read(file.id, newId())).rejects.toMatchObject({ code: 'object_not_found' });
    files.updates.posted.delete(file.id);
    await expect(files.read(file.id, reader)).rejects.toMatchObject({ code: 'object_not_found' });
    await files.publishEvent('event.status.files_released', { fileIds: [file.id] });
    await until(async () => {
      files.clock.advance(10_000);
      expect(await exists(actorId, file.id)).toEqual([false, false]);
    });
  });

  test('a signed URL gives anyone access to that one file for an hour', async () => {
    const actorId = newId();
    const [file, other] = [await store(actorId, Buffer.from('for all')), await store(actorId, Buffer.from('not this'))];
    await expect(files.client.signObject({ actorId: newId(), objectId: file.id })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    const { objectPath } = await files.client.signObject({ actorId, objectId: file.id });
    const { pathname, searchParams } = new URL(objectPath, 'http://gateway');
    expect(pathname).toBe(`/objects/${file.id}/signed`);
    const expiresAt = new Date(Number(searchParams.get('expires')));
    const right = { objectId: file.id, expiresAt, signature: searchParams.get('signature')!, range: undefined };
    const signed = async (request: ReadSignedObjectRequest) => {
      const parts: Buffer[] = [];
      for await (const { part } of files.client.readSignedObject(request)) {
        if (part?.$case === 'chunk') parts.push(part.value);
      }
      return Buffer.concat(parts).toString();
    };
    await expect(signed(right)).resolves.toBe('for all');
    await expect(signed({ ...right, range: { start: 4, end: 5 } })).resolves.toBe('al');
    for (const wrong of [
      { signature: 'A'.repeat(43) },
      { signature: '' },
      { objectId: other.id },
      { expiresAt: new Date(expiresAt.getTime() + hour) },
    ]) {
      await expect(signed({ ...right, ...wrong })).rejects.toMatchObject({ code: 'object_not_found' });
    }
    files.clock.advance(hour);
    await expect(signed(right)).rejects.toMatchObject({ code: 'address_expired' });

    const retry = await files.client.signObject({ actorId, objectId: file.id });
    const fresh = new URL(retry.objectPath, 'http://gateway').searchParams;
    const proof = { expiresAt: new Date(Number(fresh.get('expires'))), signature: fresh.get('signature')! };
    await expect(signed({ ...right, ...proof })).resolves.toBe('for all');
    await files.publishEvent('event.identity.user_deleted', { userId: actorId });
    await until(() => expect(signed({ ...right, ...proof })).rejects.toMatchObject({ code: 'object_not_found' }));
  });

  test('multipart uploads are abandoned after a week without a part', async () => {
    const actorId = newId();
    const { fileId } = await files.shared.beginUpload(header(actorId, { multipart: true }));
    await writePart(actorId, fileId, 1, randomBytes(100));
    files.clock.advance(6 * 24 * hour);
    await writePart(actorId, fileId, 2, randomBytes(100));
    files.clock.advance(6 * 24 * hour);
    await expect(files.shared.listParts({ name: undefined, actorId, fileId })).resolves.toMatchObject({
      parts: [{}, {}],
    });
    files.clock.advance(2 * 24 * hour);
    await until(async () =>
      expect(files.shared.listParts({ name: undefined, actorId, fileId })).rejects.toMatchObject({
        code: 'upload_not_found',
      }),
    );
  });
});
