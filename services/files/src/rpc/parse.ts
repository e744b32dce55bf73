import { parseId, type FileId, type UserId } from '@nolo/kit/ids';
import { failFiles } from '../errors.ts';

/** The gateway says who is asking; anything but an id is the gateway's mistake. */
export function parseActor(actorId: string): UserId {
  const id = parseId<UserId>(actorId);
  if (!id) throw failFiles('invalid', 'invalid_request', 'actor_id must be a UUID.');
  return id;
}

/** What is no id names no file. */
export function parseFile(fileId: string, notFound: () => Error): FileId {
  const id = parseId<FileId>(fileId);
  if (!id) throw notFound();
  return id;
}
