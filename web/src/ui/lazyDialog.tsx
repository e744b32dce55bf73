import { useEffect, useReducer, useRef, type ComponentType } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { closeItself, type LazyOverlay, type Load } from './lazyComponents.tsx';
import { toast } from './toasts.ts';
import { Spinner } from './Spinner.tsx';
import { createIdleQueue } from './createIdleQueue.ts';
import { useCloseOverlayOnBack } from './useCloseOverlayOnBack.ts';
import { useTexts, withTexts } from '../i18n/texts.ts';

const preload = createIdleQueue();

/** Inserts text typed before a field existed at the start of the focused field. */
function handOver(typed: string): void {
  const field = document.activeElement;
  const takesText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  // Fields without a selection, such as checkboxes, accept no text.
  if (typed === '' || !takesText || field.readOnly || field.selectionStart === null) return;
  field.setRangeText(typed, 0, 0, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Lazily loaded dialog or picker: its code loads soon after the screen, or when it opens. Text typed before it loads
 * goes to its first field. Escape and Back already close it.
 */
export const lazyDialog: LazyOverlay = <Props extends object>(load: Load<Props>, close = closeItself<Props>) => {
  let here: ComponentType<Props> | undefined;
  const fetch = async (): Promise<unknown> => (here ??= await withTexts(load()));
  preload(fetch).catch(() => undefined);
  return function Late(props: Props) {
    const [, draw] = useReducer((times: number) => times + 1, 0);
    const Here = here;
    return Here ? <Here {...props} /> : <Opening fetch={fetch} onHere={draw} onClose={() => close(props)} />;
  };
};

interface OpeningProps {
  fetch: () => Promise<unknown>;
  onHere: () => void;
  onClose: () => void;
}

/** Placeholder while the code loads. The focus stays where it was, so that the dialog can restore it. */
function Opening({ fetch, onHere, onClose }: OpeningProps) {
  const { t } = useTexts();
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useCloseOverlayOnBack(true, onClose);
  useEffect(() => {
    let wanted = true;
    let typed = '';
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // Keeps the key from everything behind it, and from pressing a focused button again.
      event.stopPropagation();
      event.preventDefault();
      if (event.key === 'Escape') close.current();
      else if (event.key === 'Backspace') typed = typed.slice(0, -1);
      else if ([...event.key].length === 1) typed += event.key;
    };
    addEventListener('keydown', onKey, { capture: true });
    fetch().then(
      () => {
        if (!wanted) return;
        // Synchronous, including the effects that move the focus, so that no key falls in between.
        flushSync(onHere);
        handOver(typed);
      },
      () => {
        if (!wanted) return;
        close.current();
        toast({ kind: 'error', title: t('errors.network') });
      },
    );
    return () => {
      wanted = false;
      removeEventListener('keydown', onKey, { capture: true });
    };
  }, [fetch, onHere, t]);
  return createPortal(
    <div
      role="dialog"
      aria-modal="true"
      aria-busy="true"
      aria-label={t('common.opening')}
      onPointerDown={onClose}
      // Visible only after a noticeable wait.
      className="pointer-events-auto fixed inset-0 z-50 flex animate-fade-in items-center justify-center [animation-delay:200ms] [animation-fill-mode:backwards]"
    >
      <div className="rounded-card border border-line bg-overlay p-8 text-muted shadow-overlay">
        <Spinner className="size-6" />
      </div>
    </div>,
    document.body,
  );
}
