import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import type { MessageExtras } from '@nolo/client/chat/ports';
import { rememberLocalMedia } from './localMedia.ts';
import { confirmSendingLocation } from './confirmSendingLocation.ts';
import { prepareMedia, type PreparedMedia } from './prepareMedia.ts';
import type { PendingAttachment } from './pendingAttachmentsStore.ts';

export interface CaptionedAttachment {
  readonly item: PendingAttachment;
  readonly caption: string;
  readonly extras: MessageExtras;
}

/** Prepares files, and asks about those that may contain a location. Resolves to null if the user declines. */
export async function prepareAttachments(
  items: readonly PendingAttachment[],
): Promise<readonly PreparedMedia[] | null> {
  const prepared = await Promise.all(items.map(({ file, asFile }) => prepareMedia(file, asFile)));
  const mayGo = await confirmSendingLocation(
    prepared.map(({ files, canRevealLocation }, at) => ({
      name: items[at]?.file.name ?? '',
      bytes: files.file,
      canRevealLocation,
    })),
  );
  return mayGo ? prepared : null;
}

/**
 * Sends files with their captions, one message each, in order.
 *
 * @returns true if they were sent, false if the user declined to send files with a location
 */
export async function sendAttachments(
  engine: ChatEngine,
  conversationId: string,
  all: readonly CaptionedAttachment[],
): Promise<boolean> {
  let after: string | undefined;
  const prepared = await prepareAttachments(all.map(({ item }) => item));
  if (!prepared) return false;
  for (const [index, { caption, extras }] of all.entries()) {
    const one = prepared[index];
    if (!one) continue;
    const id = crypto.randomUUID();
    rememberLocalMedia(id, one.files);
    const media = { ...one.media, ...(after !== undefined && { after }) };
    engine.send(conversationId, caption, { ...extras, media }, one.files, id);
    after = id;
  }
  return true;
}
