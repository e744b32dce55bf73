import { Check, Pencil, SendHorizontal, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../app/chatContext.ts';
import { useLocale } from '../../i18n/locale.ts';
import { classNames } from '../../ui/classNames.ts';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { bytesLeft, maySend } from './composerRules.ts';
import type { Editing } from './useEditing.ts';

export interface ComposerProps {
  conversationId: string;
  name: string;
  editing: Editing;
  input: RefObject<HTMLTextAreaElement | null>;
  /** Arrow up in an empty composer: change what one wrote last. */
  onEditLast: () => void;
}

const saveDraftAfterMs = 400;

/** The text, kept as this conversation's draft unless it is a change to a message. */
function useDraft(conversationId: string, active: boolean): [string, (text: string) => void] {
  const { drafts } = useChat();
  const [text, setText] = useState(() => drafts.getState().drafts[conversationId] ?? '');
  useEffect(() => {
    if (!active) return undefined;
    const save = () => drafts.set(conversationId, text);
    const timer = setTimeout(save, saveDraftAfterMs);
    // Leaving must not lose the last words.
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
      save();
    };
  }, [drafts, conversationId, text, active]);
  return [text, setText];
}

/** As high as its lines, up to the six that its style allows. */
function fitHeight(element: HTMLTextAreaElement): void {
  element.style.height = 'auto';
  // scrollHeight leaves the border out.
  element.style.height = `${element.scrollHeight + 2}px`;
}

/** Where one writes. Enter sends, Shift and Enter breaks the line. */
export function Composer({ conversationId, name, editing, input, onEditLast }: ComposerProps) {
  const { t } = useTranslation();
  const { engine } = useChat();
  const locale = useLocale();
  const edited = editing.message;
  const [draft, setDraft] = useDraft(conversationId, true);
  const [change, setChange] = useState('');
  const [editedId, setEditedId] = useState<string>();
  if (edited?.id !== editedId) {
    setEditedId(edited?.id);
    setChange(edited?.content ?? '');
  }
  const text = edited ? change : draft;
  const left = bytesLeft(text);
  const ready = maySend(text);

  useLayoutEffect(() => {
    if (input.current) fitHeight(input.current);
  }, [input, text]);

  useEffect(() => {
    const element = input.current;
    if (!element || !edited) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [edited, input]);

  const write = (value: string): void => {
    if (edited) return setChange(value);
    setDraft(value);
    engine.typing(conversationId, value.trim() !== '');
  };
  const submit = (): void => {
    if (!ready) return;
    if (edited) return void editing.save(text.trim());
    engine.send(conversationId, text.trim());
    setDraft('');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While an input method composes a word, its keys are its own (229 is what older ones send).
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && edited) {
      event.preventDefault();
      event.stopPropagation();
      editing.cancel();
    } else if (event.key === 'ArrowUp' && text === '' && !edited) {
      event.preventDefault();
      onEditLast();
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto w-full max-w-200 px-3 py-2.5 sm:px-5">
        {edited && (
          <div className="mb-2 flex items-center gap-2.5 border-s-2 border-accent ps-3 text-13">
            <Pencil aria-hidden="true" className="size-4 shrink-0 text-accent-text" />
            <span className="min-w-0 flex-1">
              <span className="block font-semibold text-accent-text">{t('conversation.editing')}</span>
              <span dir="auto" className="block truncate text-ui-start text-muted">
                {edited.content}
              </span>
            </span>
            <PlainIconButton
              size="small"
              label={t('conversation.cancelEditing')}
              icon={<X />}
              onClick={() => {
                editing.cancel();
                input.current?.focus();
              }}
            />
          </div>
        )}
        <div className="flex items-end gap-2">
          <textarea
            ref={input}
            rows={1}
            dir="auto"
            value={text}
            enterKeyHint="send"
            aria-label={edited ? t('conversation.editing') : t('conversation.composer', { name })}
            aria-invalid={left !== null && left < 0}
            placeholder={t('chats.composerPlaceholder')}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => engine.typing(conversationId, false)}
            className={classNames(
              'max-h-[calc(8.4em+22px)] min-h-11 w-full min-w-0 flex-1 resize-none rounded-[22px] border border-line bg-raised px-4 py-2.5 text-15 pointer-coarse:text-16',
              'transition-[border-color,box-shadow] duration-150 [scrollbar-width:thin] wrap-anywhere',
              'focus-visible:border-focus focus-visible:ring-1 focus-visible:ring-focus focus-visible:outline-none aria-invalid:border-danger',
            )}
          />
          <button
            type="submit"
            aria-label={t(edited ? 'conversation.saveEdit' : 'chats.send')}
            aria-disabled={!ready || editing.busy}
            // Pressing it must not close the keyboard of a phone.
            onPointerDown={(event) => event.preventDefault()}
            className={classNames(
              'inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors duration-150 [&_svg]:size-5',
              ready ? 'bg-accent text-on-accent hover:bg-accent-hover' : 'bg-sunken text-muted',
            )}
          >
            {editing.busy ? (
              <Spinner />
            ) : edited ? (
              <Check aria-hidden="true" />
            ) : (
              <SendHorizontal aria-hidden="true" className="rtl:-scale-x-100" />
            )}
          </button>
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
