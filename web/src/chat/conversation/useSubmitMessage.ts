import { useEffect, useRef, type RefObject } from 'react';
import { useAction } from '../../ui/useAction.ts';
import { useChat } from '../context/chatContext.ts';
import type { MessageExtras } from '@nolo/client/chat/ports';
import { clearAttachments } from '../media/pendingAttachmentsStore.ts';
import { firstLink, readLinkPreview, writeLinkPreview } from './linkPreview.ts';
import type { ComposerMode } from './useComposerMode.ts';
import type { ComposerLinkPreviewState } from './useComposerLinkPreview.ts';
import type { ComposerText } from './useComposerText.ts';
import { useTexts } from '../../i18n/texts.ts';

interface SubmittingOptions {
  conversationId: string;
  composing: ComposerMode;
  input: RefObject<HTMLTextAreaElement | null>;
  writing: ComposerText;
  /** Returns the users mentioned in a text. */
  mentionsIn: (text: string) => readonly string[];
  preview: ComposerLinkPreviewState['preview'];
}

/** Submits the text as a message, as an edit, or with the chosen files. */
export function useSubmitMessage(options: SubmittingOptions) {
  const { conversationId, composing, input, writing, mentionsIn, preview } = options;
  const { t } = useTexts();
  const { engine } = useChat();
  const { edited, replyTo } = composing;
  const { text, draft, setDraft, attachments, captions, ready } = writing;

  const latestDraft = useRef(draft);
  useEffect(() => {
    latestDraft.current = draft;
  }, [draft]);
  const answer = replyTo && { replyTo: { seq: replyTo.seq, messageId: replyTo.id, senderId: replyTo.senderId } };
  const extrasOf = (content: string): MessageExtras => {
    const mentioned = mentionsIn(content);
    const hasLink = firstLink(content) !== null;
    const written = content === text.trim() && preview && writeLinkPreview(preview);
    if (edited) {
      // The preview of a removed link goes with it.
      const stale = edited.linkPreview !== null && readLinkPreview(edited.linkPreview, content) === null;
      const linkPreview = written || (stale ? null : undefined);
      const all = [...new Set([...edited.mentions, ...mentioned])];
      return { hasLink, mentions: all, ...(linkPreview !== undefined && { linkPreview }) };
    }
    return {
      ...answer,
      ...(mentioned.length > 0 && { mentions: mentioned }),
      ...(written && { linkPreview: written }),
      ...(hasLink && { hasLink }),
    };
  };
  const done = (): void => {
    composing.end();
    // Preparing files takes a moment. If the user opened something else meanwhile, the focus stays there.
    const active = document.activeElement;
    if (!active || active === document.body || input.current?.form?.contains(active)) input.current?.focus();
  };
  const { run: sendFiles, busy: preparing } = useAction(
    async () => {
      if (!attachments || !captions) return;
      const { sendAttachments } = await import('../media/sendAttachments.ts');
      const all = attachments.items.map((item, index) => {
        const caption = captions[index] ?? '';
        const { replyTo: _, ...extras } = extrasOf(caption);
        return { item, caption, extras: { ...extras, ...(index === 0 && answer) } };
      });
      if (!(await sendAttachments(engine, conversationId, all))) return;
      clearAttachments(conversationId);
      // The draft was the caption of the lead file. What the user wrote while the files were prepared stays.
      const hasLead = attachments.items.some((item) => item.id === attachments.lead);
      if (hasLead && latestDraft.current === draft) setDraft('');
      done();
    },
    { failure: () => ({ title: t('errors.sendMessage') }) },
  );
  const submit = (): void => {
    if (!ready) return;
    if (attachments) return void (preparing || sendFiles());
    const content = text.trim();
    if (edited) return void composing.save(content, extrasOf(content));
    const extras = extrasOf(content);
    if (Object.keys(extras).length > 0) engine.send(conversationId, content, extras);
    else engine.send(conversationId, content);
    setDraft('');
    done();
  };

  return { answer, preparing, submit };
}
