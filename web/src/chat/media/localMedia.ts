import type { MediaFiles } from '../engine/ports.ts';
import { sessionStore } from '../../session/session.ts';

/** Addresses of files that this tab has: what one has just sent is not asked for from the server. */
export interface LocalMedia {
  readonly file: string;
  readonly poster: string | null;
  /** A smaller one of a picture, which stands still. */
  readonly small: string | null;
}

const known = new Map<string, LocalMedia>();
const mostKnown = 60;

function forget(key: string): void {
  const media = known.get(key);
  known.delete(key);
  if (!media) return;
  for (const address of Object.values(media)) if (address !== null) URL.revokeObjectURL(address as string);
}

/** Keeps the files of a message at hand, under its client's id. */
export function rememberLocal(key: string, { file, poster, thumbnails = [] }: MediaFiles): LocalMedia {
  const before = known.get(key);
  if (before) return before;
  const [oldest] = known.keys();
  if (known.size >= mostKnown && oldest !== undefined) forget(oldest);
  const addressOf = (blob: Blob | undefined): string | null => (blob ? URL.createObjectURL(blob) : null);
  const small = addressOf(poster ? undefined : thumbnails[0]?.file);
  const media = { file: URL.createObjectURL(file), poster: addressOf(poster), small };
  known.set(key, media);
  return media;
}

export function localMedia(key: string): LocalMedia | null {
  return known.get(key) ?? null;
}

// Whoever signs in next is to find nothing of this person's.
sessionStore.subscribe(({ user }) => {
  if (user === null) for (const key of known.keys()) forget(key);
});
