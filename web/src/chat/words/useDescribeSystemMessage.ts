import type { ConversationSystemMessage } from '@nolo/rules';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type * as systemMessageText from './describeSystemMessage.ts';
import { getTranslate, useTexts, withTexts } from '../../i18n/texts.ts';

type SystemMessageTextModule = typeof systemMessageText;

/* Texts of system messages, which load after the list: they are as large as a row, and few rows need them. */
const textModuleStore = createStore<{ loaded: SystemMessageTextModule | null }>(() => ({ loaded: null }));
let isRequested = false;

function load(): void {
  if (isRequested) return;
  isRequested = true;
  withTexts(import('./describeSystemMessage.ts')).then(
    (loaded) => textModuleStore.setState({ loaded }),
    // Offline and not cached yet: the next caller retries.
    () => (isRequested = false),
  );
}

export type DescribeSystemMessage = (
  systemMessage: ConversationSystemMessage,
  actorId: string,
  names: Parameters<SystemMessageTextModule['describeSystemMessage']>[2],
) => string;

/** Returns what says whether a system message is only the server's claim. Null until the texts of those load. */
export const useIsUnconfirmed = (): SystemMessageTextModule['isUnconfirmed'] | null =>
  useStore(textModuleStore, ({ loaded }) => loaded?.isUnconfirmed ?? null);

/** Returns a formatter for system messages. Null until its texts load. */
export function useDescribeSystemMessage(): DescribeSystemMessage | null {
  const { i18n } = useTexts();
  const loaded = useStore(textModuleStore, (state) => state.loaded);
  useEffect(load, []);
  return useMemo(
    () =>
      loaded &&
      ((systemMessage, actorId, names) =>
        loaded.describeSystemMessage(systemMessage, actorId, names, getTranslate(i18n, loaded.notesTexts))),
    [loaded, i18n],
  );
}
