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
  /** Content of the text field: a draft, an edit, or the caption of a chosen file. */
  text: string;
  write: (text: string) => void;
  draft: string;
  setDraft: (draft: string) => void;
  /** Files that are about to be sent. */
  tray: Tray | undefined;
  /** Caption of each file. */
  captions: readonly string[] | undefined;
  /** True if the text is the caption of a file, which may be empty. */
  isCaption: boolean;
  /** Remaining bytes if few remain, otherwise null. */
  left: number | null;
  ready: boolean;
}

/** Text of an edit, which starts with the message's text. */
function useChange(edited: Message | null): [string, (text: string) => void] {
  const [change, setChange] = useState('');
  const [editedId, setEditedId] = useState<string>();
  if (edited?.id !== editedId) {
    setEditedId(edited?.id);
    setChange(edited?.content ?? '');
  }
  return [change, setChange];
}

/** Manages the composed text of a conversation and where it is stored. */
export function useWriting(conversationId: string, edited: Message | null, mayAttach: boolean): Writing {
  const { engine } = useChat();
  const [draft, setDraft] = useDraft(conversationId);
  const [change, setChange] = useChange(edited);
  const chosenFiles = useStore(trayStore, (state) => state.trays[conversationId]);
  const tray = edited || !mayAttach ? undefined : chosenFiles;
  // The text is the caption of the chosen file. Text typed before is the caption of the lead file.
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

/** Returns the labels of the text field and the send button. */
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
