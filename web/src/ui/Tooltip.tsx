import { Suspense, useEffect, useRef, type FocusEvent, type PointerEvent, type ReactNode } from 'react';
import { Slot } from 'radix-ui';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { lazyOptional } from './lazyComponents.tsx';

type Side = 'top' | 'bottom' | 'left' | 'right';

/** Element last reached with a pointer or the keyboard, and its label. */
export interface HoveredTrigger {
  trigger: HTMLElement;
  by: 'pointer' | 'focus';
  label: ReactNode;
  side: Side;
}

const reachedStore = createStore<{ reached?: HoveredTrigger }>(() => ({}));

const TooltipOfReached = lazyOptional(async () => (await import('./SharedTooltip.tsx')).SharedTooltip);

/**
 * Provides the app's single tooltip. Screens have a dozen buttons with tooltips and render none of them. The tooltip is
 * rendered here, and its code loads with the first button reached.
 */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const reached = useStore(reachedStore, (state) => state.reached);
  return (
    <>
      {children}
      {reached && (
        <Suspense>
          <TooltipOfReached {...reached} />
        </Suspense>
      )}
    </>
  );
}

export interface TooltipProps {
  label: ReactNode;
  side?: Side;
  /** Single element that accepts pointer and focus handlers. */
  children: ReactNode;
}

/** Short text beside the element under the pointer or with keyboard focus. Requires TooltipProvider above it. */
export function Tooltip({ label, side = 'top', children }: TooltipProps) {
  const own = useRef<HTMLElement>(undefined);
  const isReached = () => own.current !== undefined && reachedStore.getState().reached?.trigger === own.current;
  useEffect(() => {
    const { reached } = reachedStore.getState();
    if (reached && isReached()) reachedStore.setState({ reached: { ...reached, label, side } });
  }, [label, side]);
  useEffect(() => () => void (isReached() && reachedStore.setState({ reached: undefined })), []);

  const reach = (trigger: HTMLElement, by: HoveredTrigger['by']): void => {
    own.current = trigger;
    if (!isReached()) reachedStore.setState({ reached: { trigger, by, label, side } });
  };
  return (
    <Slot.Root
      onPointerEnter={(event: PointerEvent<HTMLElement>) => {
        if (event.pointerType !== 'touch') reach(event.currentTarget, 'pointer');
      }}
      onFocus={({ currentTarget }: FocusEvent<HTMLElement>) => {
        if (currentTarget.matches(':focus-visible')) reach(currentTarget, 'focus');
      }}
    >
      {children}
    </Slot.Root>
  );
}
