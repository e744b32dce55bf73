import type { Message, ServerFrame } from '@nolo/api';
import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { closeAnswers, closeFrame, closeSealedAnswers, createAnswerClosers, createRowGate } from './rowGate.ts';
import { createRowOpener } from './rowOpener.ts';
import { createSealedActions } from './sealedActions.ts';
import { createSealedApi } from './sealedApi.ts';
import { createSealedSending } from './sealedSending.ts';
import { createStandings } from './standings.ts';

const portFrames: ReadonlySet<string> = new Set(['epochs_changed', 'nacks_changed', 'devices_changed']);

export type SealedChats = ReturnType<typeof createSealedChats>;

/** The chat engine's use of sealed conversations (docs/encryption.md, section 5). */
export function createSealedChats(base: ChatBase, port: Conversations) {
  const sealedApi = base.api.createSealed(createSealedApi);
  const close = createRowGate(base.store);
  const closers = createAnswerClosers(close);
  const core = { ...base, api: closeAnswers(base.api, closers) };
  const opener = createRowOpener(core, port);
  const standings = createStandings(core, port, sealedApi);
  let onChanged = (_id: string | null): void => undefined;
  const learn = (): void => void standings.learn().catch(() => undefined);
  learn();
  /** Opens what could not be opened before, and looks again at what the epochs say; null: of all conversations. */
  const renew = (id: string | null): void => {
    if (id === null || !base.store.getState().standings[id]) learn();
    opener.heal(id);
    standings.renew(id);
    onChanged(id);
  };
  return {
    /** Port to the server whose rows arrive closed, and whose changes of messages are sealed. */
    api: {
      ...core.api,
      ...createSealedActions(core, port, { opener, standings, sealedApi: closeSealedAnswers(sealedApi, close) }),
    },
    /** Closes the rows of answers that were asked for without this code. */
    closers,
    /** Returns a frame with its row closed, and tells the port of what changes its epochs and devices. */
    takeFrame(frame: ServerFrame): ServerFrame {
      if (portFrames.has(frame.type)) port.onFrame(frame);
      return closeFrame(frame, close);
    },
    /** Calls back when a conversation may take messages again; null: any. */
    follow: (listener: (id: string | null) => void) => void (onChanged = listener),
    /** Looks at everything again, because frames may have been lost. */
    reconnected: () => port.onFrame({ type: 'reconnected', data: null }),
    stop: port.subscribe(renew),
    openRows: (messages: readonly Message[]) => opener.openRows(messages.map((message) => close(message))),
    standings,
    send: createSealedSending(core, port, { opener, standings, served: base.api, sealedApi, close }),
  };
}
