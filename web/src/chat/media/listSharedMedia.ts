import type { Message } from '@nolo/api';
import { splitTextAtLinks } from '@nolo/rules';
import { mediaOfMessage } from '@nolo/client/chat/shownMedia';

export type SharedKind = 'media' | 'files' | 'voice' | 'links';

export interface SharedMediaItem {
  readonly message: Message;
  /** Address of a link. */
  readonly href?: string;
}

const kindOf = { image: 'media', video: 'media', file: 'files', audio: 'files', voice: 'voice' } as const;

/* Caches links by message, because messages are immutable and searching for links takes longest. */
const knownLinks = new WeakMap<Message, readonly string[]>();

function linksIn(message: Message): readonly string[] {
  const known = knownLinks.get(message);
  if (known) return known;
  const found = splitTextAtLinks(message.content).flatMap(({ href }) =>
    href === null || href.startsWith('mailto:') ? [] : [href],
  );
  const links = [...new Set(found)];
  knownLinks.set(message, links);
  return links;
}

/** Returns the shared items of a kind, newest first. */
export function listSharedMedia(messages: readonly Message[], kind: SharedKind): readonly SharedMediaItem[] {
  const found: SharedMediaItem[] = [];
  for (const message of messages.toReversed()) {
    if (message.deletedAt !== null || message.messageType === 'system') continue;
    if (kind === 'links') {
      for (const href of linksIn(message)) found.push({ message, href });
      continue;
    }
    const media = mediaOfMessage(message);
    if (media && kindOf[media.kind] === kind) found.push({ message });
  }
  return found;
}
