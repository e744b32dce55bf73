import type { Clock } from '@nolo/kit/clock';
import { isAppError } from '@nolo/kit/errors';
import { limits } from '@nolo/rules';
import { fileTypeFromBuffer } from 'file-type';
import { fileTooLarge, storageFullPlan, uploadEmpty, uploadNotFound } from '../errors.ts';
import { isDeclaredPicture, isVideoContainer, detectFileNature, pictureTypes } from './nature.ts';
import type { StorageDriver, StorageKey } from './ports.ts';
import {
  pictureKey,
  rawKey,
  thumbnailKey,
  unattachedLifetimeMs,
  type FileNature,
  type UploadingFile,
  type ReadyFile,
} from './sharedFiles.ts';
import { detectTrackMedium } from './detectTrackMedium.ts';
import type { ReadStorageQuota, PictureCleaner, SharedFileStore, Thumbnail } from './sharedPorts.ts';

/** Number of bytes needed to detect a file's type, with room for tags before the start of a song. */
const headBytes = 65_536;

export interface MakeFileDependencies {
  shared: SharedFileStore;
  storage: StorageDriver;
  cleaner: PictureCleaner;
  allowedBytes: ReadStorageQuota;
  /** Current maximum size of one file, as set by operators. */
  getMaxFileBytes: () => number;
  clock: Clock;
}

export interface MakeFileOptions {
  /** Thumbnails uploaded with it. */
  readonly given?: readonly Thumbnail[];
  /** Aborted if nobody waits for the file anymore. */
  readonly signal?: AbortSignal;
}

const noPicture = { width: null, height: null, thumbnails: [], thumbhash: null, moves: false } as const;

interface Made extends FileNature {
  readonly size: number;
  readonly storedBytes: number;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function collect(bytes: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  if (!bytes) throw uploadEmpty();
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Decodes and re-encodes a picture, so that nothing else of the file remains. */
async function makePicture(
  { storage, cleaner }: MakeFileDependencies,
  file: UploadingFile,
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
    // A file that merely begins like a picture is stored as plain bytes, unless it was to be shown as a picture.
    const isOdd = isAppError(error) && ['file_not_image', 'image_too_large'].includes(error.code);
    if (isOdd && !isDeclaredPicture(file.declared)) return undefined;
    throw error;
  }
}

/** Returns the maximum size of a file by upload method. */
export const getMaxTransferBytes = ({ multipart }: Pick<UploadingFile, 'multipart'>): number =>
  multipart ? limits.fileBytes : Math.max(limits.singleUploadBytes, limits.importBytes);

/** Creates a file. Anything other than a picture stays unchanged, and its bytes determine its type. */
async function make(dependencies: MakeFileDependencies, file: UploadingFile, options: MakeFileOptions): Promise<Made> {
  const { storage } = dependencies;
  const body: StorageKey = `objects/${file.id}`;
  // An earlier attempt may have moved it and then stopped.
  const raw = (await storage.size(rawKey(file))) === undefined ? body : rawKey(file);
  const size = await storage.size(raw);
  if (size === undefined) throw uploadEmpty();
  const maxBytes = Math.min(dependencies.getMaxFileBytes(), getMaxTransferBytes(file));
  if (size > maxBytes) throw fileTooLarge(maxBytes);
  const head = await collect(await storage.get(raw, { start: 0, end: Math.min(size, headBytes) - 1 }));
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  const claims = isDeclaredPicture(file.declared);
  if (pictureTypes.has(found?.mime ?? '') || claims) {
    if (size <= limits.imageBytes) {
      const picture = await makePicture(dependencies, file, { from: raw, size }, found?.mime ?? '', options);
      if (picture) return picture;
    } else if (claims) {
      throw fileTooLarge(limits.imageBytes);
    }
  }
  const read = async (start: number, end: number) => await collect(await storage.get(raw, { start, end: end - 1 }));
  const tracks = isVideoContainer(found?.mime) ? await detectTrackMedium({ head, size, read }) : undefined;
  if (raw !== body) await storage.move(raw, body);
  const nature = detectFileNature(found?.mime, file.declared, tracks);
  return { ...nature, ...noPicture, size, storedBytes: size };
}

/**
 * Creates a file from a completely received upload, with its thumbnails. Concurrent calls do the same and get the same
 * result; the last thumbnails stored win, and each set was checked. An upload refused for its content is discarded.
 *
 * @throws upload_not_found, upload_empty, file_not_image, image_too_large, file_too_large, storage_full_plan,
 *   picture_limit, pictures_busy
 */
export async function makeFile(
  dependencies: MakeFileDependencies,
  file: UploadingFile,
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
    // A concurrent call was faster and has already moved the bytes.
    const known = await shared.find(file.id);
    if (known?.state === 'ready') return known;
    const isFinal =
      isAppError(error) && (['too_large', 'plan_limited'].includes(error.kind) || error.code === 'file_not_image');
    if (isFinal) await shared.giveUp(file.id);
    throw error;
  }
}
