import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { createRowOpener } from './rowOpener.ts';
import { createSealedActions } from './sealedActions.ts';
import { createSealedSending } from './sealedSending.ts';
import { createStandings } from './standings.ts';

export type SealedChats = ReturnType<typeof createSealedChats>;

/** The chat engine's use of sealed conversations (docs/encryption.md, section 5). */
export function createSealedChats(core: ChatBase, port: Conversations) {
  const opener = createRowOpener(core, port);
  const standings = createStandings(core, port);
  const renew = (id: string | null): void => {
    opener.heal(id);
    standings.renew(id);
  };
  return {
    /** Opens what could not be opened before, and looks again at what the epochs say; null: of all conversations. */
    renew,
    stop: port.subscribe(renew),
    openRows: opener.openRows,
    standings,
    actions: createSealedActions(core, port, { opener, standings }),
    send: createSealedSending(core, port, { opener, standings }),
  };
}
