import type { ConversationSystemMessage } from '@nolo/rules';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type * as systemMessageText from './describeSystemMessage.ts';
import { addWords } from '../../i18n/i18n.ts';

type SystemMessageTextModule = typeof systemMessageText;

/* Texts of system messages, which load after the list: they are as large as a row, and few rows need them. */
const textModuleStore = createStore<{ loaded: SystemMessageTextModule | null }>(() => ({ loaded: null }));
let isRequested = false;

function load(): void {
  if (isRequested) return;
  isRequested = true;
  import('./describeSystemMessage.ts').then(
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

/** Returns a formatter for system messages. Null until its texts load. */
export function useDescribeSystemMessage(): DescribeSystemMessage | null {
  const { t, i18n } = useTranslation();
  const loaded = useStore(textModuleStore, (state) => state.loaded);
  useEffect(load, []);
  if (loaded) addWords(i18n, 'notes', loaded.enNotes);
  return useMemo(
    () => loaded && ((systemMessage, actorId, names) => loaded.describeSystemMessage(systemMessage, actorId, names, t)),
    [loaded, t],
  );
}
