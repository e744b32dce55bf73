import type { Clock } from '@nolo/kit/clock';
import { isAppError } from '@nolo/kit/errors';
import { limits } from '@nolo/rules';
import { fileTypeFromBuffer } from 'file-type';
import { fileTooLarge, storageFullPlan, uploadEmpty, uploadNotFound } from '../errors.ts';
import { claimsPicture, isVideoContainer, natureOf, pictureTypes } from './nature.ts';
import type { StorageDriver, StorageKey } from './ports.ts';
import {
  pictureKey,
  rawKey,
  thumbnailKey,
  unattachedLifetimeMs,
  type Nature,
  type OpenFile,
  type ReadyFile,
} from './sharedFiles.ts';
import { trackMedium } from './trackMedium.ts';
import type { AllowedBytes, PictureCleaner, SharedFileStore, Thumbnail } from './sharedPorts.ts';

/** As much of a file as it takes to know its kind, with room for what stands before the beginning of a song. */
const headBytes = 65_536;

export interface MakingDependencies {
  shared: SharedFileStore;
  storage: StorageDriver;
  cleaner: PictureCleaner;
  allowedBytes: AllowedBytes;
  /** Of one file, as operators have it now. */
  mostFileBytes: () => number;
  clock: Clock;
}

export interface MakeFileOptions {
  /** Smaller pictures that came with it. */
  readonly given?: readonly Thumbnail[];
  /** Aborted where nobody waits for the file any more. */
  readonly signal?: AbortSignal;
}

const noPicture = { width: null, height: null, thumbnails: [], thumbhash: null, moves: false } as const;

interface Made extends Nature {
  readonly size: number;
  readonly storedBytes: number;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function collect(bytes: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  if (!bytes) throw uploadEmpty();
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** A picture is decoded and made anew, so that nothing else of the file remains. */
async function makePicture(
  { storage, cleaner }: MakingDependencies,
  file: OpenFile,
  { from, size }: { readonly from: StorageKey; readonly size: number },
  type: string,
  { given, signal }: MakeFileOptions,
): Promise<Made | undefined> {
  try {
    const read = async () => collect(await storage.get(from));
    const picture = await cleaner.clean(file.ownerId, { size, read, signal }, type, given ?? []);
    await storage.put(pictureKey(file.id), once(picture.bytes));
    for (const { width, bytes } of picture.thumbnails) await storage.put(thumbnailKey(file.id, width), once(bytes));
    return {
      kind: 'image',
      contentType: picture.contentType,
      width: picture.width,
      height: picture.height,
      thumbnails: picture.thumbnails.map(({ width }) => width),
      thumbhash: picture.thumbhash,
      moves: picture.moves,
      size: picture.bytes.length,
      storedBytes: picture.thumbnails.reduce((sum, { bytes }) => sum + bytes.length, picture.bytes.length),
    };
  } catch (error) {
    // What only begins like a picture is bytes like any others, unless it was to be shown as one.
    const isOdd = isAppError(error) && ['file_not_image', 'image_too_large'].includes(error.code);
    if (isOdd && !claimsPicture(file.declared)) return undefined;
    throw error;
  }
}

/** How large a file may be by the way in which it comes. */
export const mostOf = ({ multipart }: Pick<OpenFile, 'multipart'>): number =>
  multipart ? limits.fileBytes : Math.max(limits.singleUploadBytes, limits.importBytes);

/** Everything else stays as it is, and its bytes say what it is. */
async function make(dependencies: MakingDependencies, file: OpenFile, options: MakeFileOptions): Promise<Made> {
  const { storage } = dependencies;
  const body: StorageKey = `objects/${file.id}`;
  // An earlier attempt may have come as far as moving it, and no farther.
  const raw = (await storage.size(rawKey(file))) === undefined ? body : rawKey(file);
  const size = await storage.size(raw);
  if (size === undefined) throw uploadEmpty();
  const most = Math.min(dependencies.mostFileBytes(), mostOf(file));
  if (size > most) throw fileTooLarge(most);
  const head = await collect(await storage.get(raw, { start: 0, end: Math.min(size, headBytes) - 1 }));
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const claims = claimsPicture(file.declared);
  if (pictureTypes.has(found?.mime ?? '') || claims) {
    if (size <= limits.imageBytes) {
      const picture = await makePicture(dependencies, file, { from: raw, size }, found?.mime ?? '', options);
      if (picture) return picture;
    } else if (claims) {
      throw fileTooLarge(limits.imageBytes);
    }
  }
  const read = async (start: number, end: number) => await collect(await storage.get(raw, { start, end: end - 1 }));
  const tracks = isVideoContainer(found?.mime) ? await trackMedium({ head, size, read }) : undefined;
  if (raw !== body) await storage.move(raw, body);
  const nature = natureOf(found?.mime, file.declared, tracks);
  return { ...nature, ...noPicture, size, storedBytes: size };
}

/**
 * Makes a file of an upload whose bytes have all arrived, with the smaller pictures that came with it. Two who do it at
 * once do the same, and get the same answer; of smaller pictures those stay that were stored last, and each was checked.
 * What is refused for what it is, is given up.
 *
 * @throws upload_not_found, upload_empty, file_not_image, image_too_large, file_too_large, storage_full_plan,
 *   picture_limit, pictures_busy
 */
export async function makeFile(
  dependencies: MakingDependencies,
  file: OpenFile,
  options: MakeFileOptions = {},
): Promise<ReadyFile> {
  const { shared, storage, allowedBytes, clock } = dependencies;
  try {
    const made = await make(dependencies, file, options);
    const allowed = await allowedBytes(file.ownerId);
    const checkAt = new Date(clock.now().getTime() + unattachedLifetimeMs);
    const ready = await shared.makeReady(file.id, made, allowed, checkAt);
    if (ready === undefined) throw uploadNotFound();
    if (ready === 'full') throw storageFullPlan(await shared.usage(file.ownerId), allowed);
    if (ready.width !== null) await Promise.all([storage.delete(rawKey(file)), storage.delete(`objects/${file.id}`)]);
    return ready;
  } catch (error) {
    // Somebody else was faster, and has moved what this one looked for.
    const known = await shared.find(file.id);
    if (known?.state === 'ready') return known;
    const isFinal =
      isAppError(error) && (['too_large', 'plan_limited'].includes(error.kind) || error.code === 'file_not_image');
    if (isFinal) await shared.giveUp(file.id);
    throw error;
  }
}
