import { eventually } from '@nolo/testing';
import type { ChatEngine } from '../src/chat/chatEngine.ts';
import { fakeTabs } from './fakeDevice.ts';
import { openText } from './reversingConversations.ts';
import { messagesOf, setUpSealedChat } from './sealedChat.ts';

/** Sets up an account with one conversation, c1, sealed unless `epoch` is null. */
export function setUp({ epoch = 0 as number | null, startsSealed = false } = {}) {
  const chat = setUpSealedChat({ epoch, startsSealed });
  const { server, device, sealing } = chat;
  const tabs = fakeTabs();
  const openTab = (kept?: 'kept', port = sealing.port): ChatEngine => {
    const more = { tabs: tabs.join(), conversations: port, ...(kept && { kept: device.kept('c1') }) };
    const engine = chat.create(more);
    engine.start();
    return engine;
  };
  const open = () => chat.start(chat.create({ tabs: tabs.join() }));
  const pending = (engine: ChatEngine) => engine.store.getState().timelines['c1']?.pending ?? [];
  const messages = messagesOf;
  const texts = (engine: ChatEngine) => messages(engine).map(({ content }) => content);
  /** Waits until these texts are in the conversation, sealed on the server, and open here. */
  const arrive = (engine: ChatEngine, expected: string[]) =>
    eventually(() => {
      expect(texts(engine)).toEqual(expected);
      expect(pending(engine)).toEqual([]);
      return true;
    });
  const sealedTexts = () => server.bodies.flatMap(({ sealed }) => (sealed ? [openText(sealed.sealed).content] : []));
  return { ...chat, openTab, open, pending, messages, texts, arrive, sealedTexts };
}
