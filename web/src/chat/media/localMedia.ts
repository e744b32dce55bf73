import type { MediaFiles } from '@nolo/client/chat/ports';
import { sessionStore } from '../../session/session.ts';

/** URLs of files in this tab, so that files just sent are not requested from the server. */
export interface LocalMedia {
  readonly file: string;
  readonly poster: string | null;
  /** Smaller still version of a picture. */
  readonly small: string | null;
}

const known = new Map<string, LocalMedia>();
const maxCacheEntries = 60;

function forget(key: string): void {
  const media = known.get(key);
  known.delete(key);
  if (!media) return;
  for (const address of Object.values(media)) if (address !== null) URL.revokeObjectURL(address as string);
}

/** Keeps the files of a message available under its client id. */
export function rememberLocalMedia(key: string, { file, poster, thumbnails = [] }: MediaFiles): LocalMedia {
  const before = known.get(key);
  if (before) return before;
  const [oldest] = known.keys();
  if (known.size >= maxCacheEntries && oldest !== undefined) forget(oldest);
  const addressOf = (blob: Blob | undefined): string | null => (blob ? URL.createObjectURL(blob) : null);
  const small = addressOf(poster ? undefined : thumbnails[0]?.file);
  const media = { file: URL.createObjectURL(file), poster: addressOf(poster), small };
  known.set(key, media);
  return media;
}

export const findLocalMedia = (key: string): LocalMedia | null => known.get(key) ?? null;

// The next user to sign in must not find this user's files.
sessionStore.subscribe(({ user }) => {
  if (user === null) for (const key of known.keys()) forget(key);
});
