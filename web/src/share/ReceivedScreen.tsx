import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useChat } from '../chat/context/chatContext.ts';
import { ChooseConversationsDialog } from '../chat/conversation/ChooseConversationsDialog.tsx';
import { selectSendableFiles } from '../chat/media/mediaRules.ts';
import { prepareAttachments, sendAttachments } from '../chat/media/sendAttachments.ts';
import { forgetReceivedShare, readReceivedShare, type ReceivedShare } from '../device/received.ts';
import { toast } from '../ui/toasts.ts';
import { useTexts } from '../i18n/texts.ts';
import { shareTexts } from './shareTexts.ts';

/**
 * Files that the system opened with the app (https://wicg.github.io/web-app-launch/), which TypeScript's library lacks.
 */
interface LaunchQueue {
  setConsumer(consumer: (launched: { files: readonly { getFile(): Promise<File> }[] }) => void): void;
}

/** Returns content shared by another app or opened by the system. Null once it is known that there is nothing. */
function useReceived(): ReceivedShare | null | undefined {
  const [received, setReceived] = useState<ReceivedShare | null>();
  useEffect(() => {
    let stays = true;
    const take = (found: ReceivedShare | undefined) => {
      if (stays) setReceived((known) => found ?? known ?? null);
    };
    readReceivedShare().then(take, () => take(undefined));
    const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
    launchQueue?.setConsumer(({ files }) => {
      if (files.length === 0) return;
      Promise.all(files.map((file) => file.getFile())).then(
        (opened) => take({ words: '', files: opened }),
        () => undefined,
      );
    });
    return () => {
      stays = false;
    };
  }, []);
  return received;
}

/** Asks which chats should get the content, and sends it. */
export function ReceivedScreen() {
  const { t } = useTexts(shareTexts);
  const { engine } = useChat();
  const navigate = useNavigate();
  const received = useReceived();
  const sentTo = useRef<string[]>([]);

  const leave = (): void => {
    void forgetReceivedShare();
    const [only, ...others] = sentTo.current;
    const chat = only === undefined || others.length > 0 ? undefined : engine.store.getState().conversations[only];
    void navigate(chat ? `/${chat.type === 'group' ? 'group-chat' : 'chat'}/${chat.id}` : '/', { replace: true });
  };
  const isNothing = received === null;
  useEffect(() => {
    if (isNothing) void navigate('/', { replace: true });
  }, [isNothing, navigate]);
  if (!received) return null;

  const { taken, problem } = selectSendableFiles(received.files, 0);
  const items = taken.map((file) => ({ id: crypto.randomUUID(), file, caption: '', asFile: false }));
  const send = (id: string): void => {
    sentTo.current.push(id);
    if (problem && sentTo.current.length === 1) toast({ kind: 'error', title: t('share:notAll'), last: true });
    const [first, ...others] = items;
    // The text goes with the first file as its caption.
    if (!first) void engine.send(id, received.words);
    else {
      const all = [first, ...others].map((item, index) => ({
        item,
        caption: index === 0 ? received.words : '',
        extras: {},
      }));
      sendAttachments(engine, id, all).catch(() => toast({ kind: 'error', title: t('errors.sendMessage') }));
    }
  };
  return (
    <ChooseConversationsDialog
      title={t('share:received')}
      confirm={async () => (await prepareAttachments(items)) !== null}
      onSend={send}
      onClose={leave}
    />
  );
}
