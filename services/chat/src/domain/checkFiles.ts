import type { Clock } from '@nolo/kit/clock';
import { checkAttachedFileFacts, type AttachedFileFacts } from './attachment.ts';
import type { MessageDraft } from './message.ts';
import type { FileUsageStore } from './ports.ts';

/**
 * Returns facts about files to be sent: the sender's own, and those of `receivedIds`, which the sender received.
 *
 * @throws AppError file_not_found
 */
export type CheckAttachableFiles = (
  actorId: string,
  fileIds: readonly string[],
  receivedIds: readonly string[],
) => Promise<AttachedFileFacts[]>;

/**
 * Checks that a person may send the files of a draft, and completes the draft from their facts. Forwarding requires
 * membership in a conversation with the file; knowing its path is not enough.
 *
 * @throws file_not_found, message_invalid
 */
export async function checkFiles(
  { files, attachable, clock }: { files: FileUsageStore; attachable: CheckAttachableFiles; clock: Clock },
  draft: MessageDraft,
): Promise<MessageDraft> {
  const { senderId, fileIds } = draft;
  if (fileIds.length === 0) return draft;
  const received = await files.readable(senderId, fileIds, clock.now());
  return { ...draft, ...checkAttachedFileFacts(draft, await attachable(senderId, fileIds, received)) };
}
