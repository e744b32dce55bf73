import { useEffect, useState } from 'react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Toast as RadixToast } from 'radix-ui';
import { useStore } from 'zustand';
import { findClearTop } from './findClearTop.ts';
import { toastDurationMs, toasts, type ToastKind } from './toasts.ts';
import { classNames } from './classNames.ts';
import { useTexts } from '../i18n/texts.ts';

const icons: Record<ToastKind, typeof Info> = { success: CircleCheck, error: CircleAlert, info: Info };
const iconColours: Record<ToastKind, string> = {
  success: 'text-accent-text',
  error: 'text-danger-text',
  info: 'text-info-text',
};

/** Elements that a toast never covers: bars, primary buttons, a running call, and the newest message. */
const uncovered =
  '[data-keep-clear], [data-call-pill], :is(a, button):is(.bg-accent, .bg-danger), [role="feed"] > :last-child';
const edgeGap = 12;

/**
 * Places toasts at the highest position in their column that covers no protected element, while one is shown.
 *
 * @returns the distance from the top of the window in CSS pixels
 */
function useClearTop(list: HTMLOListElement | null, isShown: boolean): number {
  const [top, setTop] = useState(edgeGap);
  useEffect(() => {
    if (!list || !isShown) return undefined;
    let frame = 0;
    const place = () => {
      const { left, right, height } = list.getBoundingClientRect();
      const { offsetTop, height: seen } = window.visualViewport ?? { offsetTop: 0, height: innerHeight };
      const column = { left, right, top: offsetTop + edgeGap, bottom: offsetTop + seen };
      const areas = [...document.querySelectorAll(uncovered)]
        .filter((element) => !list.contains(element) && element.checkVisibility())
        .map((element) => element.getBoundingClientRect());
      setTop(findClearTop(height, column, areas));
    };
    const placeSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(place);
    };
    // Sizes are reported before the paint, so a new toast never appears in the place of the previous one.
    const sizes = new ResizeObserver(place);
    sizes.observe(list);
    const changes = new MutationObserver(placeSoon);
    changes.observe(document.body, { childList: true, subtree: true });
    addEventListener('resize', placeSoon);
    window.visualViewport?.addEventListener('resize', placeSoon);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      changes.disconnect();
      removeEventListener('resize', placeSoon);
      window.visualViewport?.removeEventListener('resize', placeSoon);
    };
  }, [list, isShown]);
  return top;
}

/** Shows the toasts of `toast()`. Mounted once, at the root of the app. */
export function Toaster() {
  const { t } = useTexts();
  const shown = useStore(toasts, (state) => state.toasts);
  const [list, setList] = useState<HTMLOListElement | null>(null);
  const top = useClearTop(
    list,
    shown.some(({ open }) => open),
  );
  return (
    <RadixToast.Provider label={t('toast.one')} duration={toastDurationMs} swipeDirection="right" swipeThreshold={50}>
      {shown.map((entry) => {
        const Icon = icons[entry.kind];
        return (
          <RadixToast.Root
            key={entry.id}
            open={entry.open}
            duration={entry.durationMs}
            type={entry.kind === 'error' ? 'foreground' : 'background'}
            onOpenChange={(open) => {
              if (!open) toasts.getState().dismiss(entry.id);
            }}
            className={classNames(
              'pointer-events-auto flex items-start gap-3 rounded-card border border-line bg-overlay p-3.5 pe-2 text-ink shadow-overlay',
              'data-[state=open]:animate-rise-in data-[state=closed]:animate-fade-out',
              'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-swipe-out',
            )}
          >
            <Icon aria-hidden="true" className={classNames('mt-px size-5 shrink-0', iconColours[entry.kind])} />
            <div className="min-w-0 flex-1">
              <RadixToast.Title className="text-14 font-semibold">{entry.title}</RadixToast.Title>
              {entry.description !== undefined && (
                <RadixToast.Description className="mt-0.5 text-13 text-muted">
                  {entry.description}
                </RadixToast.Description>
              )}
              {entry.action !== undefined && (
                <RadixToast.Action
                  altText={entry.action.label}
                  onClick={entry.action.onSelect}
                  className="tap mt-2 inline-flex h-8 items-center rounded-control border border-line px-3 text-13 font-medium hover:bg-hover"
                >
                  {entry.action.label}
                </RadixToast.Action>
              )}
            </div>
            <RadixToast.Close
              aria-label={t('common.dismiss')}
              className="tap -my-1.5 inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden="true" className="size-4" />
            </RadixToast.Close>
          </RadixToast.Root>
        );
      })}
      <RadixToast.Viewport
        ref={setList}
        hotkey={['F8']}
        label={t('toast.region')}
        style={{ top: `max(env(safe-area-inset-top), ${top}px)` }}
        className="pointer-events-none fixed inset-x-0 z-60 m-0 mx-auto flex w-full max-w-[26rem] list-none flex-col px-4 outline-none lg:inset-x-auto lg:end-6 lg:px-0"
      />
    </RadixToast.Provider>
  );
}
