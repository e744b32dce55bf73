import type { ComponentType } from 'react';
import { useEffect, useReducer, useRef } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { toast } from './toasts.ts';
import { Spinner } from './Spinner.tsx';
import { whenIdle } from './turns.ts';
import { useOverlay } from './useOverlay.ts';

/** By then the screen stands, and what is fetched ahead takes nothing from it. */
const settledMs = 3_000;

/** One after the other, so that nothing that is pressed meanwhile waits for more than one of them. */
let line = Promise.resolve();

/** What is likely to be asked for comes as soon as the browser has nothing else to do. */
function fetchWhenIdle(fetch: () => Promise<unknown>): void {
  setTimeout(() => {
    line = line.then(
      () =>
        new Promise((resolve) =>
          whenIdle(
            () =>
              void fetch().then(
                () => resolve(),
                () => resolve(),
              ),
          ),
        ),
    );
  }, settledMs);
}

/** Puts what was typed before a field was there in front of what stands in the one that has the focus now. */
function handOver(typed: string): void {
  const field = document.activeElement;
  const takesText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  // Kinds of fields without a selection, a tick box among them, take no text.
  if (typed === '' || !takesText || field.readOnly || field.selectionStart === null) return;
  field.setRangeText(typed, 0, 0, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * A dialog or picker whose code comes over the line: soon after the screen, or when it is opened. What is typed before it
 * is here goes into the field that it begins with; Escape and Back close it already.
 *
 * @param close What closes it, where `onClose` does not.
 */
export function late<Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props>;
export function late<Props extends object>(load: Load<Props>, close: (props: Props) => void): ComponentType<Props>;
export function late<Props extends object>(
  load: Load<Props>,
  close = (props: Props) => (props as unknown as { onClose: () => void }).onClose(),
): ComponentType<Props> {
  let here: ComponentType<Props> | undefined;
  const fetch = async (): Promise<unknown> => (here ??= await load());
  fetchWhenIdle(fetch);
  return function Late(props: Props) {
    const [, draw] = useReducer((times: number) => times + 1, 0);
    const Here = here;
    return Here ? <Here {...props} /> : <Opening fetch={fetch} onHere={draw} onClose={() => close(props)} />;
  };
}

interface OpeningProps {
  fetch: () => Promise<unknown>;
  onHere: () => void;
  onClose: () => void;
}

/** Stands in the place of what is on its way. The focus stays where it was, for the dialog to give it back. */
function Opening({ fetch, onHere, onClose }: OpeningProps) {
  const { t } = useTranslation();
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useOverlay(true, onClose);
  useEffect(() => {
    let wanted = true;
    let typed = '';
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // Nothing behind it hears of the key, and a button that has the focus is not pressed once more.
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
        // At once, with the effects that move the focus, so that no key falls in between.
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
      // Seen only by who waits for long enough to wonder.
      className="pointer-events-auto fixed inset-0 z-50 flex animate-fade-in items-center justify-center [animation-delay:200ms] [animation-fill-mode:backwards]"
    >
      <div className="rounded-card border border-line bg-overlay p-8 text-muted shadow-overlay">
        <Spinner className="size-6" />
      </div>
    </div>,
    document.body,
  );
}
