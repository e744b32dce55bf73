import type { Conversation } from '@nolo/api';
import { Check, SendHorizontal, Smile } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { lazy, Suspense, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useChat } from '../context/chatContext.ts';
import { can } from '../../device/abilities.ts';
import { useLocale } from '../../i18n/locale.ts';
import { featureStore } from '../../session/features.ts';
import type { MessageExtras } from '../engine/ports.ts';
import { toast } from '../../ui/toasts.ts';
import { classNames } from '../../ui/classNames.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { LateEmojiPopover } from '../emoji/LateEmojiPopover.ts';
import { AttachButton } from '../media/AttachButton.tsx';
import { mayRecord } from '../media/mediaRules.ts';
import { changeTrayItem, emptyTray, trayStore } from '../media/trayStore.ts';
import { useAttaching } from '../media/useAttaching.ts';
import { MicrophoneButton } from '../voice/MicrophoneButton.tsx';
import type { RecordPress } from '../voice/recordPress.ts';
import { ComposerPreview } from './ComposerPreview.tsx';
import { bytesLeft, maySend } from './composerRules.ts';
import { ComposerSubject } from './ComposerSubject.tsx';
import { firstLink, readLinkPreview, writeLinkPreview } from './linkPreview.ts';
import { MentionList, mentionOptionId } from './MentionList.tsx';
import type { Composing } from './useComposing.ts';
import { useDraft } from './useDraft.ts';
import { useLinkPreview } from './useLinkPreview.ts';
import { useMentionPicker } from './useMentionPicker.ts';

const Tray = lazy(async () => ({ default: (await import('../media/Tray.tsx')).Tray }));
const RecorderBar = lazy(async () => ({ default: (await import('../voice/RecorderBar.tsx')).RecorderBar }));

export interface ComposerProps {
  conversation: Conversation;
  name: string;
  composing: Composing;
  input: RefObject<HTMLTextAreaElement | null>;
  /** Arrow up in an empty composer: change what one wrote last. */
  onEditLast: () => void;
}

/** As high as its lines, up to the six that its style allows. */
function fitHeight(element: HTMLTextAreaElement): void {
  element.style.height = 'auto';
  // scrollHeight leaves the border out.
  element.style.height = `${element.scrollHeight + 2}px`;
}

/** Where one writes. Enter sends, Shift and Enter breaks the line. */
export function Composer({ conversation, name, composing, input, onEditLast }: ComposerProps) {
  const { t } = useTranslation();
  const { engine } = useChat();
  const locale = useLocale();
  const mentionList = useId();
  const { id } = conversation;
  const { edited, replyTo } = composing;
  const [draft, setDraft] = useDraft(id);
  const [change, setChange] = useState('');
  const [editedId, setEditedId] = useState<string>();
  const [pickingEmoji, setPickingEmoji] = useState(false);
  const emojiButton = useRef<HTMLButtonElement>(null);
  if (edited?.id !== editedId) {
    setEditedId(edited?.id);
    setChange(edited?.content ?? '');
  }
  const attach = useAttaching(conversation);
  const features = useStore(featureStore, (state) => state.features);
  const chosenFiles = useStore(trayStore, (state) => state.trays[id]);
  const tray = edited || !attach ? undefined : chosenFiles;
  // What is written is said about the chosen file; what stood there already is the caption of the one that leads.
  const about = tray?.items.find((item) => item.id === tray.chosen);
  const ownCaption = tray && about && about.id !== tray.lead ? about.caption : null;
  const [preparing, setPreparing] = useState(false);
  const [press, setPress] = useState<RecordPress | null>(null);
  const text = edited ? change : (ownCaption ?? draft);
  const left = bytesLeft(text);
  const captions = tray?.items.map((item) => (item.id === tray.lead ? draft : item.caption).trim());
  // A file needs no words.
  const maybeNone = captions ?? (edited && edited.messageType !== 'text' ? [text] : null);
  const ready = maybeNone ? maybeNone.every((caption) => (bytesLeft(caption) ?? 0) >= 0) : maySend(text);
  const preview = useLinkPreview(text);
  const busy = composing.busy || preparing;

  const write = (value: string): void => {
    if (edited) return setChange(value);
    if (tray && ownCaption !== null) return changeTrayItem(id, tray.chosen, { caption: value });
    setDraft(value);
    engine.typing(id, value.trim() !== '');
  };
  const mentions = useMentionPicker(conversation, input, write);

  useLayoutEffect(() => {
    if (input.current) fitHeight(input.current);
  }, [input, text]);

  const subject = edited ?? replyTo;
  useEffect(() => {
    const element = input.current;
    if (!element || !subject) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [subject, input]);

  const answer = replyTo && { replyTo: { seq: replyTo.seq, messageId: replyTo.id, senderId: replyTo.senderId } };
  const extrasOf = (content: string): MessageExtras => {
    const mentioned = mentions.mentionsIn(content);
    const hasLink = firstLink(content) !== null;
    const written = content === text.trim() && preview.preview && writeLinkPreview(preview.preview);
    if (edited) {
      // What was made of a link that is gone goes with it.
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
  const done = (left = ''): void => {
    composing.end();
    setDraft(left);
    // Files take a moment to make ready: whoever opened something else meanwhile stays there.
    const active = document.activeElement;
    if (!active || active === document.body || input.current?.form?.contains(active)) input.current?.focus();
  };
  const sendFiles = async (): Promise<void> => {
    if (!tray || !captions || preparing) return;
    setPreparing(true);
    try {
      const { sendTray } = await import('../media/sendTray.ts');
      const all = tray.items.map((item, index) => {
        const caption = captions[index] ?? '';
        const { replyTo: _, ...extras } = extrasOf(caption);
        return { item, caption, extras: { ...extras, ...(index === 0 && answer) } };
      });
      await sendTray(engine, id, all);
      emptyTray(id);
      done(tray.items.some((item) => item.id === tray.lead) ? '' : draft);
    } catch {
      toast({ kind: 'error', title: t('errors.sendMessage') });
    } finally {
      setPreparing(false);
    }
  };
  const submit = (): void => {
    if (!ready) return;
    if (tray) return void sendFiles();
    const content = text.trim();
    if (edited) return void composing.save(content, extrasOf(content));
    const extras = extrasOf(content);
    if (Object.keys(extras).length > 0) engine.send(id, content, extras);
    else engine.send(id, content);
    done();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    // A table brings a picture of itself along, and is wanted as words.
    if (!attach || edited || files.length === 0 || event.clipboardData.getData('text/plain') !== '') return;
    event.preventDefault();
    attach(files);
  };
  const endRecording = useCallback(() => {
    setPress(null);
    requestAnimationFrame(() => input.current?.focus());
  }, [input]);
  const { end } = composing;
  const sentNote = (): void => {
    end();
    endRecording();
  };
  const cancel = (): void => {
    composing.end();
    input.current?.focus();
  };
  const insert = (emoji: string): void => {
    const element = input.current;
    const at = element?.selectionStart ?? text.length;
    const until = element?.selectionEnd ?? at;
    write(text.slice(0, at) + emoji + text.slice(until));
    requestAnimationFrame(() => element?.setSelectionRange(at + emoji.length, at + emoji.length));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While an input method composes a word, its keys are its own (229 is what older ones send).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (mentions.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && subject) {
      event.preventDefault();
      event.stopPropagation();
      composing.end();
    } else if (event.key === 'ArrowUp' && text === '' && !subject) {
      event.preventDefault();
      onEditLast();
    }
  };
  /** What is chosen wants a caption, or Enter; on a phone the keyboard would cover it. */
  const attachChosen = (files: readonly File[], asFile?: boolean): void => {
    attach?.(files, asFile);
    if (matchMedia('(pointer: fine)').matches) requestAnimationFrame(() => input.current?.focus());
  };
  const mayBegin = !edited && !tray && text.trim() === '' && attach !== null && mayRecord(conversation, features);

  const label = edited
    ? t('conversation.editing')
    : tray && tray.items.length > 1
      ? t('conversation.captionFor', { file: about?.file.name ?? '' })
      : t('conversation.composer', { name });
  const sendLabel = edited
    ? t('conversation.saveEdit')
    : tray
      ? t('conversation.sendFiles', { count: tray.items.length })
      : t('chats.send');

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)]"
    >
      <div className="relative mx-auto w-full max-w-200 px-3 py-2.5 sm:px-5">
        {mentions.open && <MentionList id={mentionList} picker={mentions} />}
        {subject && <ComposerSubject composing={composing} onCancel={cancel} />}
        {tray && (
          <Suspense>
            <Tray conversationId={id} tray={tray} draft={draft} onChoose={() => input.current?.focus()} />
          </Suspense>
        )}
        <ComposerPreview {...preview} />
        {press && (
          <Suspense fallback={<div className="h-11" />}>
            <RecorderBar
              conversationId={id}
              press={press}
              extras={answer || {}}
              onSent={sentNote}
              onEnd={endRecording}
            />
          </Suspense>
        )}
        <div className={press ? 'hidden' : 'flex items-end gap-1.5'}>
          {attach && !edited && <AttachButton conversationId={id} onFiles={attachChosen} />}
          <button
            ref={emojiButton}
            type="button"
            aria-label={t('messages.emoji.open')}
            aria-haspopup="dialog"
            aria-expanded={pickingEmoji}
            onClick={() => setPickingEmoji(true)}
            className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-hover hover:text-ink aria-expanded:bg-hover"
          >
            <Smile aria-hidden="true" className="size-[22px]" />
          </button>
          {pickingEmoji && (
            <LateEmojiPopover
              anchor={emojiButton}
              onPick={insert}
              onClose={() => setPickingEmoji(false)}
              focusAfter={() => input.current}
            />
          )}
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
            placeholder={t(maybeNone ? 'conversation.caption' : 'chats.composerPlaceholder')}
            onChange={(event) => {
              write(event.target.value);
              mentions.look();
            }}
            onPaste={onPaste}
            onSelect={mentions.look}
            onKeyDown={onKeyDown}
            onBlur={() => engine.typing(id, false)}
            className={classNames(
              'max-h-[calc(8.4em+22px)] min-h-11 w-full min-w-0 flex-1 resize-none rounded-[22px] [text-rendering:optimizeSpeed] border border-line bg-raised px-4 py-2.5 text-15 pointer-coarse:text-16',
              'transition-[border-color,box-shadow] duration-150 [scrollbar-width:thin] wrap-anywhere placeholder:truncate',
              'focus-visible:border-focus focus-visible:ring-1 focus-visible:ring-focus focus-visible:outline-none aria-invalid:border-danger',
            )}
          />
          {mayBegin && can.capture() && can.record() ? (
            <MicrophoneButton onBegin={setPress} />
          ) : (
            <button
              type="submit"
              aria-label={sendLabel}
              aria-disabled={!ready || busy}
              // Pressing it must not close the keyboard of a phone.
              onPointerDown={(event) => event.preventDefault()}
              className={classNames(
                'inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors duration-150 [&_svg]:size-5',
                ready ? 'bg-accent text-on-accent hover:bg-accent-hover' : 'bg-sunken text-muted',
              )}
            >
              {busy ? (
                <Spinner />
              ) : edited ? (
                <Check aria-hidden="true" />
              ) : (
                <SendHorizontal aria-hidden="true" className="rtl:-scale-x-100" />
              )}
            </button>
          )}
        </div>
        {left !== null && (
          <p
            role="status"
            className={classNames('tabular mt-1 px-4 text-12', left < 0 ? 'text-danger-text' : 'text-muted')}
          >
            {t(left < 0 ? 'conversation.tooLong' : 'conversation.bytesLeft', {
              formatted: Math.abs(left).toLocaleString(locale),
            })}
          </p>
        )}
      </div>
    </form>
  );
}
