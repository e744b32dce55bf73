import type { ChatEngine } from '../engine/chatEngine.ts';
import type { MessageExtras } from '../engine/ports.ts';
import { rememberLocal } from './localMedia.ts';
import { prepareMedia } from './prepareMedia.ts';
import type { TrayItem } from './trayStore.ts';

export interface Captioned {
  readonly item: TrayItem;
  readonly caption: string;
  readonly extras: MessageExtras;
}

/** Sends files with what is said about each, one message for each, in the order in which they stand. */
export async function sendTray(engine: ChatEngine, conversationId: string, all: readonly Captioned[]): Promise<void> {
  let after: string | undefined;
  const prepared = await Promise.all(all.map(({ item }) => prepareMedia(item.file, item.asFile)));
  for (const [index, { caption, extras }] of all.entries()) {
    const one = prepared[index];
    if (!one) continue;
    const id = crypto.randomUUID();
    rememberLocal(id, one.files);
    const media = { ...one.media, ...(after !== undefined && { after }) };
    engine.send(conversationId, caption, { ...extras, media }, one.files, id);
    after = id;
  }
}
