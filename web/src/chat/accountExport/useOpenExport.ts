import type { Message } from '@nolo/api';
import { useEffect, useRef, useState } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useKeysState } from '../../keys/useKeys.ts';
import { promptForExportSink } from '../chatExport/exportSink.ts';
import { useChatExportWords } from '../chatExport/useChatExportWords.ts';
import { createZipStream } from '../chatExport/zipStream.ts';
import { useChat } from '../context/chatContext.ts';
import { conversationName } from '../words/conversationName.ts';
import {
  openAccountExport,
  openExportFile,
  type AccountExportFile,
  type AccountExportResult,
} from './openAccountExport.ts';
import { openExportTexts } from './openExportTexts.ts';

export type OpenExportStage =
  | { at: 'choosing' }
  | { at: 'checking' }
  | { at: 'checked'; file: AccountExportFile; name: string }
  | { at: 'running'; share: number }
  | { at: 'done'; result: AccountExportResult }
  | { at: 'failed'; error: unknown };

/** Names of people and conversations. Those that this device lacks come from the server, one request for each. */
function useNames() {
  const { t } = useTexts(openExportTexts);
  const { internals, learnPeople, store } = useChat().engine;
  const { api, selfId } = internals.core;
  const requested = useRef(new Set<string>([selfId]));
  return {
    async learnNames(userIds: readonly string[]): Promise<void> {
      const { people } = store.getState();
      const unknown = [...new Set(userIds)].filter((id) => !people[id] && !requested.current.has(id));
      for (const id of unknown) {
        requested.current.add(id);
        // People whose accounts are gone stay without a name.
        const person = await api.getUser(id).catch(() => undefined);
        if (person) learnPeople([person]);
      }
    },
    async titleOf(id: string, group: string | undefined): Promise<string> {
      const known = store.getState().conversations[id];
      if (!known && group !== undefined) return group;
      const row = known ?? (await api.getConversation(id).catch(() => undefined));
      return row ? conversationName(row, t) : t('openExport:unnamed');
    },
  };
}

/** Opens the export of the account on this device, and saves it as a readable archive. */
export function useOpenExport() {
  const { t } = useTexts(openExportTexts);
  const { conversations, content } = useChat().engine.internals.core;
  const { phase } = useKeysState();
  const { selfId, createWords } = useChatExportWords();
  const names = useNames();
  const [stage, setStage] = useState<OpenExportStage>({ at: 'choosing' });
  const underWay = useRef<AbortController>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const choose = async (file: File): Promise<void> => {
    setStage({ at: 'checking' });
    try {
      setStage({ at: 'checked', file: await openExportFile(file, selfId), name: file.name });
    } catch (error) {
      setStage({ at: 'failed', error });
    }
  };

  const save = async (file: AccountExportFile): Promise<void> => {
    const sink = await promptForExportSink(`nolo-export ${new Date(serverNow()).toISOString().slice(0, 10)}.zip`);
    if (sink === null) return;
    const controller = new AbortController();
    underWay.current = controller;
    const { signal } = controller;
    setStage({ at: 'running', share: 0 });
    try {
      const result = await openAccountExport({
        ...names,
        file,
        selfId,
        port: phase.name === 'ready' ? (conversations ?? null) : null,
        openContent: async (message: Message) => content.openMessage(message),
        words: createWords,
        title: t('openExport:pageTitle'),
        zip: createZipStream(sink, signal),
        signal,
        onProgress: (share) => setStage({ at: 'running', share }),
      });
      signal.throwIfAborted();
      await sink.close();
      setStage({ at: 'done', result });
    } catch (error) {
      await sink.abort().catch(() => undefined);
      if (!signal.aborted) setStage({ at: 'failed', error });
    }
  };

  return { stage, choose, save };
}
