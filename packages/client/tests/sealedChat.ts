import type { Message } from '@nolo/api';
import { createChatEngine, type ChatEngine } from '../src/chat/chatEngine.ts';
import type { ChatDependencies } from '../src/chat/ports.ts';
import { openingOf } from '../src/chat/rowOpening.ts';
import { fakeDevice } from './fakeDevice.ts';
import { fakeSealedServer } from './fakeSealedServer.ts';
import { fakeTimers, settlePromises } from './fakeTimers.ts';
import { createReversingConversations } from './reversingConversations.ts';

/** Returns the messages of the conversation of fakeSealedServer.ts. */
export const messagesOf = (engine: ChatEngine): readonly Message[] =>
  engine.store.getState().timelines['c1']?.messages ?? [];

/** Returns what became of the rows on the screen. */
export const statesOf = (engine: ChatEngine): string[] =>
  messagesOf(engine).map((message) => openingOf(message)?.state ?? 'none');

interface SealedChatOptions extends Partial<ChatDependencies> {
  readonly epoch?: number | null;
  /** False for a device without keys. */
  readonly keys?: boolean;
  /** Default: false, so that a test without an epoch shows a conversation that stays plain. */
  readonly startsSealed?: boolean;
}

/** Sets up an account whose only conversation, c1, is sealed unless `epoch` is null. */
export function setUpSealedChat({ epoch = 0, keys = true, startsSealed = false, ...options }: SealedChatOptions = {}) {
  const server = fakeSealedServer({ epoch });
  const clock = fakeTimers();
  const device = fakeDevice();
  const sealing = createReversingConversations({ epoch });
  let ids = 0;
  const create = (more: Partial<ChatDependencies> = {}): ChatEngine =>
    createChatEngine({
      selfId: 'me',
      api: server.api,
      openSocket: server.openSocket,
      timers: clock.timers,
      newId: () => `client-${++ids}`,
      failureOf: (error) => error as never,
      onOtherFrame: () => {},
      onRefused: () => {},
      device: device.device,
      startsSealed,
      ...(keys && { conversations: sealing.port }),
      ...options,
      ...more,
    });
  /** Starts an engine and opens the conversation. */
  const start = async (engine: ChatEngine): Promise<ChatEngine> => {
    engine.start();
    server.hello();
    await settlePromises();
    await engine.open('c1');
    return engine;
  };
  return { server, clock, device, sealing, create, start };
}
