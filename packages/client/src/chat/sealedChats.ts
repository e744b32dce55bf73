import type { Message, ServerFrame } from '@nolo/api';
import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { closeAnswers, closeFrame, createRowGate } from './rowGate.ts';
import { createRowOpener } from './rowOpener.ts';
import { createSealedActions } from './sealedActions.ts';
import { createSealedSending } from './sealedSending.ts';
import { createStandings } from './standings.ts';

export type SealedChats = ReturnType<typeof createSealedChats>;

/** The chat engine's use of sealed conversations (docs/encryption.md, section 5). */
export function createSealedChats(base: ChatBase, port: Conversations) {
  const close = createRowGate(base.store);
  const core = { ...base, api: closeAnswers(base.api, close) };
  const opener = createRowOpener(core, port);
  const standings = createStandings(core, port);
  const renew = (id: string | null): void => {
    opener.heal(id);
    standings.renew(id);
  };
  return {
    /** Port to the server whose rows arrive closed. */
    api: core.api,
    closeFrame: (frame: ServerFrame) => closeFrame(frame, close),
    /** Opens what could not be opened before, and looks again at what the epochs say; null: of all conversations. */
    renew,
    /** Looks at everything again, because frames may have been lost. */
    reconnected: () => port.onFrame({ type: 'reconnected', data: null }),
    stop: port.subscribe(renew),
    openRows: (messages: readonly Message[]) => opener.openRows(messages.map((message) => close(message))),
    standings,
    actions: createSealedActions(core, port, { opener, standings }),
    send: createSealedSending(core, port, { opener, standings, served: base.api, close }),
  };
}
