import type { FinishUploadRequest, SharedFile, UploadedPart as GivenPart } from '@nolo/proto/sharedFiles';
import { limits, thumbnailWidths } from '@nolo/rules';
import type { IncomingKey } from '../../domain/incoming.ts';
import { makeFile } from '../../domain/makeFile.ts';
import { partsKey, rawKey, type OpenFile } from '../../domain/sharedFiles.ts';
import type { Thumbnail, UploadedPart } from '../../domain/sharedPorts.ts';
import { fileTooLarge, partsInvalid, uploadNotFound } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor } from '../parse.ts';
import { countMade, findOwn } from './access.ts';
import { toFileReply } from './replies.ts';

const bare = (etag: string) => etag.replaceAll('"', '');

/** Those of the parts that have arrived that the client names, which are the file in their order. */
export function chooseParts(given: readonly GivenPart[], arrived: readonly UploadedPart[]): UploadedPart[] {
  const byNumber = new Map(arrived.map((part) => [part.number, part]));
  const chosen = [...given]
    .sort((one, other) => one.number - other.number)
    .map(({ number, etag }) => {
      const part = byNumber.get(number);
      if (!part || bare(part.etag) !== bare(etag)) throw partsInvalid(`Part ${number} has not arrived as it is named.`);
      return part;
    });
  if (new Set(chosen).size !== chosen.length) throw partsInvalid('A part is named twice.');
  if (chosen.slice(0, -1).some(({ size }) => size < limits.uploadPartBytesMin)) {
    throw partsInvalid(`Parts but the last have at least ${limits.uploadPartBytesMin} bytes.`);
  }
  return chosen;
}

/** Those of the widths that there are. */
function chooseThumbnails(given: FinishUploadRequest['thumbnails']): Thumbnail[] {
  return thumbnailWidths.flatMap((width) => {
    const found = given.find((one) => one.width === width);
    return found ? [{ width, bytes: found.data }] : [];
  });
}

export function finishUpload(dependencies: RpcDependencies) {
  const { shared, storage } = dependencies;

  /**
   * Brings what the uploader could still replace to where nobody can, before anything is concluded from it. False where
   * there is nothing.
   */
  const takeIn = async (file: OpenFile, from: IncomingKey): Promise<boolean> => {
    if (((await storage.size(from)) ?? 0) > limits.fileBytes) {
      await shared.giveUp(file.id);
      throw fileTooLarge(limits.fileBytes);
    }
    await storage.move(from, rawKey(file));
    return (await storage.size(rawKey(file))) !== undefined;
  };

  const joinParts = async (file: OpenFile & { storageUploadId: string }, given: readonly GivenPart[]) => {
    const target = { key: partsKey(file), storageUploadId: file.storageUploadId };
    // Joined by an attempt that came no farther.
    if ((await storage.size(rawKey(file))) !== undefined) return;
    const arrived = await storage.listParts(target);
    if (!arrived) {
      // Or one that came less far; with credentials, the uploader may have joined them as well.
      if (file.incomingKey === null || !(await takeIn(file, file.incomingKey))) throw uploadNotFound();
      return;
    }
    const parts = chooseParts(given, arrived);
    if (parts.length === 0) throw partsInvalid('No parts are named.');
    if (parts.reduce((sum, { size }) => sum + size, 0) > limits.fileBytes) {
      await shared.giveUp(file.id);
      throw fileTooLarge(limits.fileBytes);
    }
    await storage.completeParts(target, parts);
    if (file.incomingKey !== null && !(await takeIn(file, file.incomingKey))) throw uploadNotFound();
  };

  return async (request: FinishUploadRequest): Promise<SharedFile> => {
    const file = await findOwn(dependencies, parseActor(request.actorId), request);
    if (file.state === 'ready') return toFileReply(file);
    const { storageUploadId } = file;
    if (storageUploadId !== null) await joinParts({ ...file, storageUploadId }, request.parts);
    return toFileReply(
      countMade(dependencies, await makeFile(dependencies, file, chooseThumbnails(request.thumbnails))),
    );
  };
}
