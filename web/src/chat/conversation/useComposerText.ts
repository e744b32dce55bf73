import type { Message } from '@nolo/api';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useChat } from '../context/chatContext.ts';
import { changeAttachment, pendingAttachmentsStore } from '../media/pendingAttachmentsStore.ts';
import type { PendingAttachments } from '../media/pendingAttachmentsStore.ts';
import { bytesLeftNearLimit, isSendableText } from './composerRules.ts';
import { useDraft } from './useDraft.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

export interface ComposerText {
  /** Content of the text field: a draft, an edit, or the caption of a chosen file. */
  text: string;
  write: (text: string) => void;
  draft: string;
  setDraft: (draft: string) => void;
  /** Files that are about to be sent. */
  attachments: PendingAttachments | undefined;
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
export function useComposerText(conversationId: string, edited: Message | null, mayAttach: boolean): ComposerText {
  const { engine } = useChat();
  const [draft, setDraft] = useDraft(conversationId);
  const [change, setChange] = useChange(edited);
  const chosenFiles = useStore(pendingAttachmentsStore, (state) => state.byConversation[conversationId]);
  const attachments = edited || !mayAttach ? undefined : chosenFiles;
  // The text is the caption of the chosen file. Text typed before is the caption of the lead file.
  const about = attachments?.items.find((item) => item.id === attachments.chosen);
  const ownCaption = attachments && about && about.id !== attachments.lead ? about.caption : null;
  const text = edited ? change : (ownCaption ?? draft);
  const captions = attachments?.items.map((item) => (item.id === attachments.lead ? draft : item.caption).trim());
  const maybeNone = captions ?? (edited && edited.messageType !== 'text' ? [text] : null);
  const write = (value: string): void => {
    if (edited) return setChange(value);
    if (attachments && ownCaption !== null)
      return changeAttachment(conversationId, attachments.chosen, { caption: value });
    setDraft(value);
    engine.typing(conversationId, value.trim() !== '');
  };
  return {
    text,
    write,
    draft,
    setDraft,
    attachments,
    captions,
    isCaption: maybeNone !== null,
    left: bytesLeftNearLimit(text),
    ready: maybeNone ? maybeNone.every((caption) => (bytesLeftNearLimit(caption) ?? 0) >= 0) : isSendableText(text),
  };
}

export function useComposerLabels(name: string, { attachments }: ComposerText, edits: boolean) {
  const { t } = useTexts(conversationTexts);
  const about = attachments?.items.find((item) => item.id === attachments.chosen);
  const label = edits
    ? t('conversation:editing')
    : attachments && attachments.items.length > 1
      ? t('conversation:captionFor', { file: about?.file.name ?? '' })
      : t('conversation:composer', { name });
  const sendLabel = edits
    ? t('conversation:saveEdit')
    : attachments
      ? t('conversation:sendFiles', { count: attachments.items.length })
      : t('chats.send');
  return { label, sendLabel };
}
