import type { Clock } from '@nolo/kit/clock';
import { checkFacts, type FileFacts } from './attachment.ts';
import type { Draft } from './message.ts';
import type { FileStore } from './ports.ts';

/**
 * What files are that somebody is about to send: their own, and those of `receivedIds`, which were sent to them.
 *
 * @throws AppError file_not_found
 */
export type AttachableFiles = (
  actorId: string,
  fileIds: readonly string[],
  receivedIds: readonly string[],
) => Promise<FileFacts[]>;

/**
 * Whether somebody may send the files of a draft, and what of the draft follows from what they are. Forwarding needs to be
 * in a conversation that has the file; whoever only knows its address gets nowhere with it.
 *
 * @throws file_not_found, message_invalid
 */
export async function checkFiles(
  { files, attachable, clock }: { files: FileStore; attachable: AttachableFiles; clock: Clock },
  draft: Draft,
): Promise<Draft> {
  const { senderId, fileIds } = draft;
  if (fileIds.length === 0) return draft;
  const received = await files.readable(senderId, fileIds, clock.now());
  return { ...draft, ...checkFacts(draft, await attachable(senderId, fileIds, received)) };
}
