import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useChat } from '../context/chatContext.ts';
import { changeTrayItem, trayStore } from '../media/trayStore.ts';
import type { Tray } from '../media/trayStore.ts';
import { bytesLeft, maySend } from './composerRules.ts';
import { useDraft } from './useDraft.ts';

export interface Writing {
  /** What stands in the text field: a draft, a change to a message, or the caption of a chosen file. */
  text: string;
  write: (text: string) => void;
  draft: string;
  setDraft: (draft: string) => void;
  /** Files that are about to be sent. */
  tray: Tray | undefined;
  /** What is said about each of them. */
  captions: readonly string[] | undefined;
  /** The text is about a file, which needs no words. */
  isCaption: boolean;
  /** Bytes that are left, where they run out. */
  left: number | null;
  ready: boolean;
}

/** The text of a change, which begins with what the message says. */
function useChange(edited: Message | null): [string, (text: string) => void] {
  const [change, setChange] = useState('');
  const [editedId, setEditedId] = useState<string>();
  if (edited?.id !== editedId) {
    setEditedId(edited?.id);
    setChange(edited?.content ?? '');
  }
  return [change, setChange];
}

/** What is being written in a conversation, and where it goes as it is. */
export function useWriting(conversationId: string, edited: Message | null, mayAttach: boolean): Writing {
  const { engine } = useChat();
  const [draft, setDraft] = useDraft(conversationId);
  const [change, setChange] = useChange(edited);
  const chosenFiles = useStore(trayStore, (state) => state.trays[conversationId]);
  const tray = edited || !mayAttach ? undefined : chosenFiles;
  // What is written is said about the chosen file; what stood there already is the caption of the one that leads.
  const about = tray?.items.find((item) => item.id === tray.chosen);
  const ownCaption = tray && about && about.id !== tray.lead ? about.caption : null;
  const text = edited ? change : (ownCaption ?? draft);
  const captions = tray?.items.map((item) => (item.id === tray.lead ? draft : item.caption).trim());
  const maybeNone = captions ?? (edited && edited.messageType !== 'text' ? [text] : null);
  const write = (value: string): void => {
    if (edited) return setChange(value);
    if (tray && ownCaption !== null) return changeTrayItem(conversationId, tray.chosen, { caption: value });
    setDraft(value);
    engine.typing(conversationId, value.trim() !== '');
  };
  return {
    text,
    write,
    draft,
    setDraft,
    tray,
    captions,
    isCaption: maybeNone !== null,
    left: bytesLeft(text),
    ready: maybeNone ? maybeNone.every((caption) => (bytesLeft(caption) ?? 0) >= 0) : maySend(text),
  };
}

/** What the text field and the button that sends are called. */
export function useComposerLabels(name: string, { tray }: Writing, edits: boolean) {
  const { t } = useTranslation();
  const about = tray?.items.find((item) => item.id === tray.chosen);
  const label = edits
    ? t('conversation.editing')
    : tray && tray.items.length > 1
      ? t('conversation.captionFor', { file: about?.file.name ?? '' })
      : t('conversation.composer', { name });
  const sendLabel = edits
    ? t('conversation.saveEdit')
    : tray
      ? t('conversation.sendFiles', { count: tray.items.length })
      : t('chats.send');
  return { label, sendLabel };
}
