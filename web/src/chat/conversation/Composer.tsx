import type { Conversation, Message } from '@nolo/api';
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { Suspense, useCallback, useEffect, useId, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useChat } from '../context/chatContext.ts';
import { browserSupport } from '../../device/browserSupport.ts';
import { featureStore } from '../../session/features.ts';
import { AttachButton } from '../media/AttachButton.tsx';
import { mayRecord } from '../media/mediaRules.ts';
import { useAttaching } from '../media/useAttaching.ts';
import { MicrophoneButton } from '../voice/MicrophoneButton.tsx';
import type { RecordPress } from '../voice/recordPress.ts';
import {
  composerBarClasses,
  composerFieldClasses,
  composerInnerClasses,
  composerRowClasses,
} from '../../ui/composerStyles.ts';
import { prefersPastedFiles } from './composerRules.ts';
import { BytesLeft, EmojiButton, SendButton } from './composerControls.tsx';
import { ComposerLinkPreview } from './ComposerLinkPreview.tsx';
import { ComposerContextBar } from './ComposerContextBar.tsx';
import { MentionList, mentionOptionId } from './MentionList.tsx';
import type { ComposerMode } from './useComposerMode.ts';
import { useComposerLinkPreview } from './useComposerLinkPreview.ts';
import { useMentionPicker } from './useMentionPicker.ts';
import { useSubmitMessage } from './useSubmitMessage.ts';
import { useComposerLabels, useComposerText } from './useComposerText.ts';
import { lazyOverlay, lazyComponent } from '../../ui/lazyComponents.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

const PendingAttachmentsPanel = lazyComponent(
  async () => (await import('../media/PendingAttachmentsPanel.tsx')).PendingAttachmentsPanel,
);
const RecorderBar = lazyOverlay(
  async () => (await import('../voice/RecorderBar.tsx')).RecorderBar,
  ({ onEnd }) => onEnd(),
);

export interface ComposerProps {
  conversation: Conversation;
  name: string;
  composing: ComposerMode;
  input: RefObject<HTMLTextAreaElement | null>;
  /** Arrow up in an empty composer: edits the user's latest message. */
  onEditLast: () => void;
}

/** True if the browser adapts the height itself; reading the height forces another layout with each key. */
const fitsItself = globalThis.CSS?.supports('field-sizing', 'content') === true;

/** Sets the height to that of its lines, up to the six that its style allows. */
function fitHeight(element: HTMLTextAreaElement): void {
  if (fitsItself) return;
  element.style.height = 'auto';
  // scrollHeight excludes the border.
  element.style.height = `${element.scrollHeight + 2}px`;
}

function insertAtCaret(
  element: HTMLTextAreaElement | null,
  text: string,
  inserted: string,
  write: (text: string) => void,
): void {
  const at = element?.selectionStart ?? text.length;
  const until = element?.selectionEnd ?? at;
  write(text.slice(0, at) + inserted + text.slice(until));
  requestAnimationFrame(() => element?.setSelectionRange(at + inserted.length, at + inserted.length));
}

/** Returns the action of a key in the text field, other than typing. */
function composerActionOf(
  { key, shiftKey, altKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey'>,
  { empty, hasSubject }: { empty: boolean; hasSubject: boolean },
): 'submit' | 'leave' | 'editLast' | null {
  if (key === 'Enter' && !shiftKey) return 'submit';
  if (key === 'Escape' && hasSubject) return 'leave';
  // Alt with the key opens the chat above.
  return key === 'ArrowUp' && !altKey && empty && !hasSubject ? 'editLast' : null;
}

/** Adapts the text field's height to its text, and focuses it for a reply or an edit. */
function useFollowing(input: ComposerProps['input'], text: string, subject: Message | null): void {
  useLayoutEffect(() => {
    if (input.current) fitHeight(input.current);
  }, [input, text]);

  useEffect(() => {
    const element = input.current;
    if (!element || !subject) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [subject, input]);
}

/** Handles pasted or chosen files. */
function useFiles(attach: ReturnType<typeof useAttaching>, edits: boolean, input: ComposerProps['input']) {
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (!attach || edits || !prefersPastedFiles(files, event.clipboardData.getData('text/plain'))) return;
    event.preventDefault();
    attach(files);
  };
  /** Focuses the field after choosing files, for a caption or Enter; on a phone the keyboard would cover them. */
  const attachChosen = (files: readonly File[], asFile?: boolean): void => {
    attach?.(files, asFile);
    if (matchMedia('(pointer: fine)').matches) requestAnimationFrame(() => input.current?.focus());
  };
  return { onPaste, attachChosen };
}

/** Records a voice note, which replaces the text field meanwhile. */
function useRecording({ end: endComposing }: ComposerMode, input: ComposerProps['input']) {
  const [press, setPress] = useState<RecordPress | null>(null);
  const end = useCallback(() => {
    setPress(null);
    requestAnimationFrame(() => input.current?.focus());
  }, [input]);
  const sent = (): void => {
    endComposing();
    end();
  };
  return { press, begin: setPress, end, sent };
}

/** Composer. Enter sends, Shift and Enter breaks the line. */
export function Composer({ conversation, name, composing, input, onEditLast }: ComposerProps) {
  const { t } = useTexts(conversationTexts);
  const { engine } = useChat();
  const mentionList = useId();
  const { id } = conversation;
  const { edited, replyTo } = composing;
  const attach = useAttaching(conversation);
  const writing = useComposerText(conversation.id, edited, attach !== null);
  const { text, left, attachments, ready, write } = writing;
  const features = useStore(featureStore, (state) => state.features);
  const preview = useComposerLinkPreview(text);
  const mentions = useMentionPicker(conversation, input, write);
  const { answer, preparing, submit } = useSubmitMessage({
    conversationId: id,
    composing,
    input,
    writing,
    mentionsIn: mentions.mentionsIn,
    preview: preview.preview,
  });
  const { label, sendLabel } = useComposerLabels(name, writing, edited !== null);

  const subject = edited ?? replyTo;
  useFollowing(input, text, subject);

  const { onPaste, attachChosen } = useFiles(attach, edited !== null, input);
  const recording = useRecording(composing, input);
  const cancel = (): void => {
    composing.end();
    input.current?.focus();
  };
  const insert = (emoji: string): void => insertAtCaret(input.current, text, emoji, write);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Keys belong to an input method while it composes a word (older ones send 229).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (mentions.onKeyDown(event)) return;
    const composerAction = composerActionOf(event, { empty: text === '', hasSubject: subject !== null });
    if (composerAction === null) return;
    event.preventDefault();
    if (composerAction === 'submit') submit();
    else if (composerAction === 'editLast') onEditLast();
    else {
      event.stopPropagation();
      composing.end();
    }
  };
  const mayBegin =
    !edited && !attachments && text.trim() === '' && attach !== null && mayRecord(conversation, features);

  return (
    <form
      data-keep-clear
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className={composerBarClasses}
    >
      <div className={composerInnerClasses}>
        {mentions.open && <MentionList id={mentionList} picker={mentions} />}
        {subject && <ComposerContextBar composing={composing} onCancel={cancel} />}
        {attachments && (
          <Suspense>
            <PendingAttachmentsPanel
              conversationId={id}
              attachments={attachments}
              draft={writing.draft}
              onChoose={() => input.current?.focus()}
            />
          </Suspense>
        )}
        <ComposerLinkPreview {...preview} />
        {recording.press && (
          <Suspense fallback={<div className="h-11" />}>
            <RecorderBar
              conversationId={id}
              press={recording.press}
              extras={answer || {}}
              onSent={recording.sent}
              onEnd={recording.end}
            />
          </Suspense>
        )}
        <div className={recording.press ? 'hidden' : composerRowClasses}>
          {attach && !edited && <AttachButton conversationId={id} onFiles={attachChosen} />}
          <EmojiButton onPick={insert} focusAfter={() => input.current} />
          <textarea
            ref={input}
            rows={1}
            dir="auto"
            value={text}
            enterKeyHint="send"
            aria-label={label}
            aria-invalid={left !== null && left < 0}
            {...(mentions.open && {
              'aria-autocomplete': 'list' as const,
              'aria-controls': mentionList,
              'aria-activedescendant': mentionOptionId(mentionList, mentions.current),
            })}
            placeholder={t(writing.isCaption ? 'conversation:caption' : 'chats.composerPlaceholder')}
            onChange={(event) => {
              write(event.target.value);
              mentions.update();
            }}
            onPaste={onPaste}
            onSelect={mentions.update}
            onKeyDown={onKeyDown}
            onBlur={() => engine.typing(id, false)}
            className={composerFieldClasses}
          />
          {mayBegin && browserSupport.capture() && browserSupport.record() ? (
            <MicrophoneButton onBegin={recording.begin} />
          ) : (
            <SendButton label={sendLabel} ready={ready} busy={composing.busy || preparing} saves={edited !== null} />
          )}
        </div>
        <BytesLeft bytes={left} />
      </div>
    </form>
  );
}
